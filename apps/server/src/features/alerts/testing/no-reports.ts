import type { ReportsToTell } from '../read-reports.ts'

/** A community without reports. */
export const noReports: ReportsToTell = {
  readNew: async () => [],
  countOpen: async () => ({ newCount: 0, newThings: [], thingCount: 0 }),
  operators: async () => [],
}
