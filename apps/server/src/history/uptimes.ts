import { historyDays, uptimeWindows, type Uptime } from '@astropelago/contract/history'
import { dayMs, type SeenShare } from './time-spans.ts'

export const windowsMs: Readonly<Record<Uptime['window'], number>> = {
  '24h': dayMs,
  '7d': 7 * dayMs,
  '30d': 30 * dayMs,
  '90d': historyDays * dayMs,
}

export function uptimesOf(time: { readonly share: (forMs: number) => SeenShare }): Uptime[] {
  return uptimeWindows.map((window) => {
    const { uptime, observed } = time.share(windowsMs[window])
    return { window, uptime, observed }
  })
}
