import { pages } from '@astropelago/contract/pages'
import { timeText } from '@astropelago/contract/time-text'
import { nameOf, type AlertItem, type AlertSubject } from './outages.ts'
import type { AlertMessage } from './channels/channel.ts'

/** More than a reader looks at. The rest is counted. */
const linesMax = 20
const itemsMax = 100
/** Limit of a device's text. Its page has the rest. */
const textMaxLength = 200

export interface AlertedItem extends AlertItem {
  readonly of: Exclude<AlertSubject['of'], 'reports'>
  readonly id: string
  readonly name: string
  /** Null for a device. */
  readonly slug: string | null
  readonly isOwn: boolean
  readonly text?: string
}

interface ReaderClock {
  readonly timeZone: string
  readonly nowMs: number
}

/** In the order that titles use. */
const kinds = ['device', 'island', 'warning'] as const
const words = {
  device: {
    plural: 'devices',
    away: { is: 'is offline', are: 'are offline', word: 'offline', status: 'offline' },
    back: { is: 'is back online', are: 'are back online', status: 'online' },
  },
  island: {
    plural: 'islands',
    away: { is: 'is closed', are: 'are closed', word: 'closed', status: 'closed' },
    back: { is: 'is open again', are: 'are open again', status: 'open' },
  },
  warning: {
    plural: 'devices',
    away: { is: 'has a warning', are: 'have warnings', word: 'warning', status: 'warning' },
    back: { is: 'no longer has a warning', are: 'no longer have warnings', status: 'online' },
  },
} as const

/** One message about everything: what happened, since when, where to look. */
export function writeMessage(
  items: readonly AlertedItem[],
  { publicUrl, ...clock }: ReaderClock & { readonly publicUrl: string },
): AlertMessage {
  const away = items.filter(({ endedMs }) => endedMs === null)
  const awayNames = new Set(away.map(nameOf))
  const over = items.filter(({ endedMs }) => endedMs !== null)
  // A subject that is down again gets one line for both outages.
  const overOf = new Map(over.map((item) => [nameOf(item), item]))
  const back = over.filter((item) => !awayNames.has(nameOf(item)))
  const listed = [...away, ...back]
  const lines = listed.slice(0, linesMax).map((item) => {
    const before = item.endedMs === null ? overOf.get(nameOf(item)) : undefined
    return `${listed.length === 1 ? '' : `${item.name}: `}${lineOf(item, before, clock)}`
  })
  if (listed.length > linesMax) lines.push(`And ${listed.length - linesMax} more.`)
  const [first] = listed
  const isOfOne = first !== undefined && listed.every(({ id }) => id === first.id)
  return {
    kind: kindOf(away, back),
    title: [
      ...kinds.map((of) => titleOf(away, of, words[of].away)),
      ...kinds.map((of) => titleOf(back, of, words[of].back)),
    ]
      .filter((part) => part !== undefined)
      .join(', '),
    lines,
    url: publicUrl + (isOfOne ? pathOf(first) : `${pages.account}?part=alerts`),
    atMs: clock.nowMs,
    items: listed.slice(0, itemsMax).map((item) => ({
      of: item.of === 'island' ? 'island' : 'device',
      id: item.id,
      name: item.name,
      status: words[item.of][item.endedMs === null ? 'away' : 'back'].status,
      sinceMs: item.endedMs ?? item.sinceMs,
      url: publicUrl + pathOf(item),
    })),
  }
}

function kindOf(
  away: readonly AlertSubject[],
  back: readonly AlertSubject[],
): AlertMessage['kind'] {
  if (away.length === 0) return 'online'
  if (back.length > 0) return 'several'
  const warnings = away.filter(({ of }) => of === 'warning').length
  if (warnings === 0) return 'offline'
  return warnings === away.length ? 'warning' : 'several'
}

function titleOf(
  items: readonly AlertedItem[],
  of: AlertedItem['of'],
  { is, are }: { readonly is: string; readonly are: string },
): string | undefined {
  const ofKind = items.filter((item) => item.of === of)
  const [first] = ofKind
  if (first === undefined) return undefined
  return ofKind.length === 1 ? `${first.name} ${is}` : `${ofKind.length} ${words[of].plural} ${are}`
}

/** @param before the previous outage, if the line should mention it too */
function lineOf(item: AlertedItem, before: AlertedItem | undefined, clock: ReaderClock): string {
  const { timeZone } = clock
  const { of, sinceMs, endedMs, toldMs, text } = item
  const { word } = words[of].away
  if (endedMs !== null) return `was ${word} ${spanOf(item, clock)} (${timeZone}).`
  const since = `since ${timeText(sinceMs, clock)}`
  const earlier = before === undefined ? '' : `; before that ${spanOf(before, clock)}`
  const said = text === undefined ? '.' : `: ${shorten(text)}`
  return `${toldMs === null ? word : `still ${word}`} ${since}${earlier} (${timeZone})${said}`
}

function spanOf({ sinceMs, endedMs, times }: AlertedItem, clock: ReaderClock): string {
  const span = `from ${timeText(sinceMs, clock)} to ${timeText(endedMs ?? sinceMs, clock)}`
  return times === 1 ? span : `${times} times ${span}`
}

function shorten(text: string): string {
  const characters = Array.from(text.replaceAll(/\s+/g, ' ').trim())
  return characters.length <= textMaxLength
    ? characters.join('')
    : `${characters.slice(0, textMaxLength).join('')}…`
}

function pathOf({ id, slug }: AlertedItem): string {
  return slug === null
    ? `/devices/${encodeURIComponent(id)}`
    : `/islands/${encodeURIComponent(slug)}`
}
