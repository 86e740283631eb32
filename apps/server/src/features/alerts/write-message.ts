import { pages } from '@astropelago/contract/pages'
import { timeText } from '@astropelago/contract/time-text'
import { nameOf, type AlertItem, type AlertSubject } from './outages.ts'
import type { AlertMessage } from './channels/channel.ts'

const linesMax = 20
const itemsMax = 100
const textMaxLength = 200

export interface AlertedItem extends AlertItem {
  readonly of: Exclude<AlertSubject['of'], 'reports'>
  readonly id: string
  readonly name: string
  readonly slug: string | null
  readonly isOwn: boolean
  /** What a device warns of, or why a check is down. */
  readonly text?: string
  /** Whether nobody can see how a check is. Nothing is sent about it then ([N29]). */
  readonly isUnobserved?: boolean
}

interface ReaderClock {
  readonly timeZone: string
  readonly nowMs: number
}

/** In the order that titles use. */
const kinds = ['device', 'island', 'check', 'warning'] as const
const words = {
  device: {
    plural: 'devices',
    outage: { is: 'is offline', are: 'are offline', word: 'offline', status: 'offline' },
    recovery: { is: 'is back online', are: 'are back online', status: 'online' },
  },
  island: {
    plural: 'islands',
    outage: { is: 'is closed', are: 'are closed', word: 'closed', status: 'closed' },
    recovery: { is: 'is open again', are: 'are open again', status: 'open' },
  },
  check: {
    plural: 'checks',
    outage: { is: 'is down', are: 'are down', word: 'down', status: 'down' },
    recovery: { is: 'is up again', are: 'are up again', status: 'up' },
  },
  warning: {
    plural: 'devices',
    outage: { is: 'has a warning', are: 'have warnings', word: 'warning', status: 'warning' },
    recovery: { is: 'no longer has a warning', are: 'no longer have warnings', status: 'online' },
  },
} as const

export function writeMessage(
  items: readonly AlertedItem[],
  { publicUrl, ...clock }: ReaderClock & { readonly publicUrl: string },
): AlertMessage {
  const down = items.filter(({ endedMs }) => endedMs === null)
  const downNames = new Set(down.map(nameOf))
  const over = items.filter(({ endedMs }) => endedMs !== null)
  // A subject that is down again gets one line for both outages.
  const overOf = new Map(over.map((item) => [nameOf(item), item]))
  const recovered = over.filter((item) => !downNames.has(nameOf(item)))
  const listed = [...down, ...recovered]
  const lines = listed.slice(0, linesMax).map((item) => {
    const before = item.endedMs === null ? overOf.get(nameOf(item)) : undefined
    return `${listed.length === 1 ? '' : `${item.name}: `}${lineOf(item, before, clock)}`
  })
  if (listed.length > linesMax) lines.push(`And ${listed.length - linesMax} more.`)
  const [first] = listed
  const isOfOne = first !== undefined && listed.every(({ id }) => id === first.id)
  return {
    kind: kindOf(down, recovered),
    title: [
      ...kinds.map((of) => titleOf(down, of, words[of].outage)),
      ...kinds.map((of) => titleOf(recovered, of, words[of].recovery)),
    ]
      .filter((part) => part !== undefined)
      .join(', '),
    lines,
    url: publicUrl + (isOfOne ? pathOf(first) : `${pages.account}/alerts`),
    atMs: clock.nowMs,
    items: listed.slice(0, itemsMax).map((item) => ({
      of: item.of === 'warning' ? 'device' : item.of,
      id: item.id,
      name: item.name,
      status: words[item.of][item.endedMs === null ? 'outage' : 'recovery'].status,
      sinceMs: item.endedMs ?? item.sinceMs,
      url: publicUrl + pathOf(item),
    })),
  }
}

function kindOf(
  down: readonly AlertSubject[],
  recovered: readonly AlertSubject[],
): AlertMessage['kind'] {
  if (down.length === 0) return 'online'
  if (recovered.length > 0) return 'several'
  const warnings = down.filter(({ of }) => of === 'warning').length
  if (warnings === 0) return 'offline'
  return warnings === down.length ? 'warning' : 'several'
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
  const { word } = words[of].outage
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

function pathOf({ of, id, slug }: AlertedItem): string {
  if (slug !== null) return `/islands/${encodeURIComponent(slug)}`
  return `/${of === 'check' ? 'checks' : 'devices'}/${encodeURIComponent(id)}`
}
