import { randomUUID } from 'node:crypto'
import { logLinesPerIsland, notesPerDay, signalsPerDay } from '@astropelago/contract/limits'
import type { Clock } from '../../../clock.ts'
import { DomainError } from '../../../domain-error.ts'
import type { UserCaller } from '../../../http/callers.ts'
import { isHost, mayNote } from '../doors.ts'
import { findKnownIsland } from '../find-island.ts'
import type { IslandChanges } from '../island-changes.ts'
import type { FoundIsland, IslandsStore } from '../islands-store.ts'
import type { LogRecord, LogStore } from './log-store.ts'

const dayMs = 86_400_000

const kinds = {
  note: { max: notesPerDay, refusal: 'note_limit', mayWrite: mayNote },
  signal: { max: signalsPerDay, refusal: 'signal_limit', mayWrite: isHost },
} as const

export interface WritePostDeps {
  readonly islands: Pick<IslandsStore, 'findById'>
  readonly log: Pick<LogStore, 'post'>
  readonly changes: Pick<IslandChanges, 'noteChange'>
  readonly clock: Clock
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
  { islands, log, changes, clock }: WritePostDeps,
  { userKey, username }: Pick<UserCaller, 'userKey' | 'username'>,
  { kind, islandId, text, eventMs }: Post,
): Promise<{ readonly found: FoundIsland; readonly entry: LogRecord }> {
  const { max, refusal, mayWrite } = kinds[kind]
  const found = await findKnownIsland(islands, userKey, islandId)
  if (!mayWrite(found.island, found.viewer)) throw new DomainError('not_found')
  const islandKey = found.island.key
  const atMs = clock()
  const post = { id: randomUUID(), islandKey, kind, text, eventMs, atMs }
  const limits = { max, windowMs: dayMs, kept: logLinesPerIsland }
  const outcome = await log.post({ ...post, authorKey: userKey }, limits)
  if (outcome === 'gone') throw new DomainError('not_found')
  if (outcome !== 'posted') {
    const retryAfterS = Math.max(1, Math.ceil((outcome.nextMs - atMs) / 1000))
    throw new DomainError(refusal, { retryAfterS })
  }
  changes.noteChange({ islandKey, kind: 'log' })
  return { found, entry: { ...post, author: { key: userKey, username }, hidden: null } }
}
