import type { DeviceReport } from '@astropelago/contract/devices'
import { isoTime } from '../../../iso-time.ts'
import type { StoredReport } from './device-reports-store.ts'

export function presentReport(report: StoredReport): DeviceReport {
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
