import type { DeviceReport, ReportStatus } from '@astropelago/contract/devices'
import { isoTime } from './iso-time.ts'

/** The last report of a device, for its owner. */
export function presentReport(report: {
  readonly atMs: number
  readonly status: ReportStatus
  readonly sinceMs: number
  readonly text: string | null
  readonly exitCode: number | null
  readonly durationMs: number | null
  readonly startedMs: number | null
}): DeviceReport {
  const { atMs, sinceMs, status, text, exitCode, durationMs, startedMs } = report
  return {
    at: isoTime(atMs),
    status,
    since: isoTime(sinceMs),
    text,
    exitCode,
    durationMs,
    runningSince: isoTime(startedMs),
  }
}
