import { pages } from '@astropelago/contract/pages'
import type { AlertItem } from './outages-of-devices.ts'
import type { AlertMessage } from './channels/channel.ts'
import { timeText } from './quiet-hours.ts'

/** More than a reader looks at; the rest is counted. */
const linesMax = 20
/** For programs. */
const itemsMax = 100

export interface ToldItem extends AlertItem {
  readonly deviceId: string
  readonly label: string
}

interface WriteMessageOptions {
  readonly publicUrl: string
  readonly timeZone: string
  readonly nowMs: number
}

/** One message about everything that there is to tell: what, since when, where to look. */
export function writeMessage(
  items: readonly ToldItem[],
  { publicUrl, timeZone, nowMs }: WriteMessageOptions,
): AlertMessage {
  const time = (atMs: number) => timeText(atMs, timeZone)
  const away = items.filter(({ endedMs }) => endedMs === null)
  const awayKeys = new Set(away.map(({ deviceKey }) => deviceKey))
  // Of one that is away again it is said once.
  const back = items.filter(
    ({ endedMs, deviceKey }) => endedMs !== null && !awayKeys.has(deviceKey),
  )
  const told = [...away, ...back]
  const url = publicUrl + pages.account
  const lines = told
    .slice(0, linesMax)
    .map((item) => `${told.length === 1 ? '' : `${item.label}: `}${lineOf(item, time, timeZone)}`)
  if (told.length > linesMax) lines.push(`And ${told.length - linesMax} more.`)
  return {
    kind: back.length === 0 ? 'offline' : away.length === 0 ? 'online' : 'several',
    title: [
      titleOf(away, 'is offline', 'are offline'),
      titleOf(back, 'is back online', 'are back online'),
    ]
      .filter((part) => part !== '')
      .join(', '),
    lines,
    url,
    atMs: nowMs,
    items: told.slice(0, itemsMax).map(({ deviceId, label, sinceMs, endedMs }) => ({
      of: 'device',
      id: deviceId,
      name: label,
      status: endedMs === null ? 'offline' : 'online',
      sinceMs: endedMs ?? sinceMs,
      url,
    })),
  }
}

function titleOf(items: readonly ToldItem[], one: string, many: string): string {
  const [first] = items
  if (first === undefined) return ''
  return items.length === 1 ? `${first.label} ${one}` : `${items.length} devices ${many}`
}

function lineOf(
  { sinceMs, endedMs, times, toldMs }: AlertItem,
  time: (atMs: number) => string,
  timeZone: string,
): string {
  if (endedMs === null) {
    return `${toldMs === null ? 'offline' : 'still offline'} since ${time(sinceMs)} (${timeZone}).`
  }
  const span = `from ${time(sinceMs)} to ${time(endedMs)} (${timeZone})`
  return times === 1 ? `was offline ${span}.` : `was offline ${times} times ${span}.`
}
