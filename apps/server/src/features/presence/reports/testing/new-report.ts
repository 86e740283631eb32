import type { NewReport } from '../device-reports-store.ts'

/** What a device says, by default without a text or a run. */
export function newReport(
  details: Pick<NewReport, 'deviceKey' | 'atMs' | 'status'> & Partial<NewReport>,
): NewReport {
  return { text: null, exitCode: null, beganMs: null, startedMs: null, ...details }
}
