import { randomUUID } from 'node:crypto'
import { defaultAlertRules, type AlertRules } from '@astropelago/contract/alerts'
import { alertMessagesPerDay } from '@astropelago/contract/limits'
import type { AlertsStore, Turn, TurnEnd } from './alerts-store.ts'
import type { Channels, ReadyChannel } from './channels/channel.ts'
import { tellMs, type DueRules, type Span } from './outages.ts'
import { quietUntilMs } from './quiet-hours.ts'
import { writeMessage, type ToldItem } from './write-message.ts'

/** Between two messages of one user. */
const pauseMs = 60_000
const dayMs = 86_400_000

export interface TellUsersDeps {
  readonly store: Pick<
    AlertsStore,
    'dueTurns' | 'rulesOf' | 'itemsOfUsers' | 'nthNewestMs' | 'endTurns'
  >
  readonly channels: Pick<Channels, 'readyOf'>
  readonly readUnobserved: () => Promise<readonly Span[]>
  readonly windowMs: number
  readonly publicUrl: string
  readonly makeId?: () => string
}

/** What holds a user's messages back, and until when ([N7] to [N9]). */
export type Held = { readonly untilMs: number; readonly by: 'pause' | 'quiet-hours' | 'limit' }

export function heldUntil(
  nowMs: number,
  {
    toldMs,
    rules,
    limitedMs,
  }: {
    readonly toldMs: number | null
    readonly rules: Pick<AlertRules, 'quietHours' | 'timeZone'>
    /** When the first of as many messages as there may be in a day was made. */
    readonly limitedMs: number | undefined
  },
): Held | undefined {
  const limitMs = limitedMs === undefined ? 0 : limitedMs + dayMs
  if (limitMs > nowMs) return { untilMs: limitMs, by: 'limit' }
  const quietMs = quietUntilMs(nowMs, rules)
  if (quietMs > nowMs) return { untilMs: quietMs, by: 'quiet-hours' }
  const pausedMs = (toldMs ?? 0) + pauseMs
  return pausedMs > nowMs ? { untilMs: pausedMs, by: 'pause' } : undefined
}

/**
 * Makes the messages of users whose turn it is, one of each about all that there is to tell ([N6]).
 * @returns how many turns were taken
 */
export async function tellUsers(
  deps: TellUsersDeps,
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
): Promise<number> {
  const { store, channels, readUnobserved, windowMs } = deps
  const turns = await store.dueTurns(nowMs, limit)
  if (turns.length === 0) return 0
  const userKeys = turns.map(({ userKey }) => userKey)
  const [rulesOf, itemsOf, ready, unobserved, limited] = await Promise.all([
    store.rulesOf(userKeys),
    store.itemsOfUsers(userKeys),
    channels.readyOf(userKeys),
    readUnobserved(),
    Promise.all(userKeys.map((key) => store.nthNewestMs(key, alertMessagesPerDay))),
  ])
  const ends = turns.map((turn, at) => {
    const rules = rulesOf.get(turn.userKey) ?? defaultAlertRules
    return takeTurn(turn, {
      nowMs,
      rules,
      due: { rules, unobserved, windowMs },
      items: itemsOf.get(turn.userKey) ?? [],
      channels: ready.get(turn.userKey) ?? [],
      limitedMs: limited[at],
      publicUrl: deps.publicUrl,
      makeId: deps.makeId ?? randomUUID,
    })
  })
  await store.endTurns(ends, nowMs)
  return turns.length
}

interface TurnParts {
  readonly nowMs: number
  readonly rules: AlertRules
  readonly due: DueRules
  readonly items: readonly ToldItem[]
  readonly channels: readonly ReadyChannel[]
  readonly limitedMs: number | undefined
  readonly publicUrl: string
  readonly makeId: () => string
}

function takeTurn({ userKey, toldMs }: Turn, parts: TurnParts): TurnEnd {
  const { nowMs, rules, due, items, channels, limitedMs, publicUrl, makeId } = parts
  const message = (told: readonly ToldItem[]) =>
    writeMessage(told, { publicUrl, timeZone: rules.timeZone, nowMs })
  if (!rules.isOn || channels.length === 0) {
    if (items.length === 0) return { userKey, lookMs: null }
    const nothing = { id: makeId(), message: message([]), channels: [], kept: [], ended: items }
    return { userKey, lookMs: null, told: nothing }
  }
  const isDue = (item: ToldItem) => (tellMs(item, due) ?? Number.POSITIVE_INFINITY) <= nowMs
  const told = items.filter(isDue)
  if (told.length === 0) return { userKey, lookMs: nextLook(items, due) }
  const held = heldUntil(nowMs, { toldMs, rules, limitedMs })
  if (held !== undefined) return { userKey, lookMs: held.untilMs }
  const ended = told.filter(({ endedMs }) => endedMs !== null)
  const kept = items
    .filter((item) => !ended.includes(item))
    .map((item) => (isDue(item) ? toldNow(item, nowMs) : item))
  return {
    userKey,
    lookMs: nextLook(kept, due),
    told: { id: makeId(), message: message(told), channels, kept, ended },
  }
}

function toldNow(item: ToldItem, nowMs: number): ToldItem {
  return { ...item, toldMs: nowMs }
}

function nextLook(items: readonly ToldItem[], due: DueRules): number | null {
  const times = items.map((item) => tellMs(item, due)).filter((atMs) => atMs !== null)
  return times.length === 0 ? null : Math.min(...times)
}
