import type { ReportsToTell } from '../read-reports.ts'

/** A community in which nobody reports anything. */
export const noReports: ReportsToTell = {
  readNew: async () => [],
  countOpen: async () => ({ newCount: 0, newThings: [], thingCount: 0 }),
  operators: async () => [],
}
