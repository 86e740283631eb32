import type { ReportSource } from '../read-reports.ts'

/** A community without reports. */
export const noReports: ReportSource = {
  readNew: async () => [],
  countOpen: async () => ({ newCount: 0, newThings: [], thingCount: 0 }),
  operators: async () => [],
}
