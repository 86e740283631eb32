import { randomUUID } from 'node:crypto'
import { logLinesPerIsland, notesPerDay, signalsPerDay } from '@astropelago/contract/limits'
import type { Clock } from '../../../clock.ts'
import { DomainError } from '../../../domain-error.ts'
import { CallLimit } from '../../../http/call-limit.ts'
import type { UserCaller } from '../../../http/callers.ts'
import { isHost, mayNote } from '../access-policy.ts'
import { findVisibleIsland } from '../find-island.ts'
import type { FoundIsland, IslandsStore } from '../islands-store.ts'
import type { LogRecord, LogStore } from './log-store.ts'

const dayMs = 86_400_000

const kinds = {
  note: { max: notesPerDay, refusal: 'note_limit', mayWrite: mayNote },
  signal: { max: signalsPerDay, refusal: 'signal_limit', mayWrite: isHost },
} as const

/** Counts posts, deleted ones too. `take` returns how many milliseconds the user has to wait. */
export type SentPosts = Readonly<Record<keyof typeof kinds, Pick<CallLimit, 'take'>>>

export function countSentPosts(clock: Clock): SentPosts {
  const count = (maxCalls: number) =>
    // The stored limit's day does not include its last millisecond.
    new CallLimit({ maxCalls, windowMs: dayMs - 1, perf: { now: clock } })
  return { note: count(kinds.note.max), signal: count(kinds.signal.max) }
}

export interface WritePostDeps {
  readonly islands: Pick<IslandsStore, 'findById'>
  readonly log: Pick<LogStore, 'post'>
  readonly clock: Clock
  readonly sent: SentPosts
}

interface Post {
  readonly kind: keyof typeof kinds
  readonly islandId: string
  readonly text: string
  readonly eventMs: number | null
}

/**
 * Adds a visitor's note or the host's signal to a log.
 * @throws DomainError `not_found`, `note_limit`, `signal_limit`
 */
export async function writePost(
  { islands, log, clock, sent }: WritePostDeps,
  { userKey, username, avatar }: Pick<UserCaller, 'userKey' | 'username' | 'avatar'>,
  { kind, islandId, text, eventMs }: Post,
): Promise<{ readonly found: FoundIsland; readonly entry: LogRecord }> {
  const { max, refusal, mayWrite } = kinds[kind]
  const found = await findVisibleIsland(islands, userKey, islandId)
  if (!mayWrite(found.island, found.viewer)) throw new DomainError('not_found')
  const refuse = (waitMs: number) =>
    new DomainError(refusal, { retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)) })
  const waitMs = sent[kind].take(String(userKey))
  if (waitMs > 0) throw refuse(waitMs)
  const islandKey = found.island.key
  const atMs = clock()
  const post = { id: randomUUID(), islandKey, kind, text, eventMs, atMs }
  const limits = { max, windowMs: dayMs, kept: logLinesPerIsland }
  const outcome = await log.post({ ...post, authorKey: userKey }, limits)
  if (outcome === 'gone') throw new DomainError('not_found')
  if (outcome !== 'posted') throw refuse(outcome.nextMs - atMs)
  return { found, entry: { ...post, author: { key: userKey, username, avatar }, hidden: null } }
}
