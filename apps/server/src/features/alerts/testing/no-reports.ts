import type { ReportSource } from '../read-reports.ts'

/** A community without reports. */
export const noReports: ReportSource = {
  readNew: async () => [],
  countOpen: async () => ({ newCount: 0, newSubjects: [], subjectCount: 0 }),
  operators: async () => [],
}
