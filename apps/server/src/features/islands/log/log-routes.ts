import { randomUUID } from 'node:crypto'
import { avatarPath } from '@astropelago/contract/avatars'
import {
  deleteLogEntry,
  leaveNote,
  logPageLength,
  readLog,
  sendSignal,
  type LogEntry,
} from '@astropelago/contract/island-log'
import { logLinesPerIsland, notesPerDay, signalsPerDay } from '@astropelago/contract/limits'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../../domain-error.ts'
import { dayMs } from '../../../history/time-spans.ts'
import { CallLimit } from '../../../http/call-limit.ts'
import type { UserCaller } from '../../../http/callers.ts'
import { refuseDemo } from '../../../http/refuse-demo.ts'
import { isoTime } from '../../../iso-time.ts'
import { cutPage, readPosition, writePosition } from '../../../page-position.ts'
import { isHost, mayKnowMembers, mayNote } from '../access-policy.ts'
import { findVisibleIsland, isReadable } from '../find-island.ts'
import type { IslandsRoutesContext } from '../islands-context.ts'
import type { FoundIsland } from '../islands-store.ts'
import type { LogRecord, LogStore } from './log-store.ts'

interface LogRoutesContext extends IslandsRoutesContext {
  readonly log: LogStore
}

export async function logRoutes(app: FastifyInstance, context: LogRoutesContext) {
  const { serve, findUser, islands, log, clock } = context
  /** Counts posts, deleted ones too. */
  const count = (maxCalls: number) =>
    // The stored limit's day does not include its last millisecond.
    new CallLimit({ maxCalls, windowMs: dayMs - 1, perf: { now: clock } })
  const sent = { note: count(notesPerDay), signal: count(signalsPerDay) }

  serve(app, readLog, async ({ params, query, request }) => {
    const readerKey = (await findUser(request))?.userKey ?? null
    const found = await findVisibleIsland(islands, readerKey, params.id)
    const { island, viewer } = found
    if (!isReadable(found)) throw new DomainError('not_found')
    const after = readPosition(query.after)
    if (after === undefined) throw new DomainError('invalid_input')
    const logs = [{ islandKey: island.key, isHost: isHost(island, viewer) }]
    const entries = await log.read(logs, { readerKey, after, limit: logPageLength + 1 })
    const { shown, last } = cutPage(entries, logPageLength)
    return {
      status: 200,
      body: {
        entries: shown.map((entry) => presentLogEntry(entry, found)),
        next: last === undefined ? null : writePosition(last),
      },
    }
  })

  serve(
    app,
    leaveNote,
    async ({ user, params, body: { text } }) => {
      const note = { kind: 'note', islandId: params.id, text, eventMs: null } as const
      return { status: 201, body: await writePost(context, sent.note, user, note) }
    },
    { refuseCaller: refuseDemo },
  )

  serve(
    app,
    sendSignal,
    async ({ user, params, body: { text, eventAt } }) => {
      const eventMs = eventAt === null ? null : Date.parse(eventAt)
      const signal = { kind: 'signal', islandId: params.id, text, eventMs } as const
      return { status: 201, body: await writePost(context, sent.signal, user, signal) }
    },
    { refuseCaller: refuseDemo },
  )

  serve(app, deleteLogEntry, async ({ user: { userKey }, params: { id } }) => {
    const [entry] = await log.find([id])
    const [found] =
      entry === undefined ? [] : await islands.findManyByKey(userKey, [entry.islandKey])
    if (entry === undefined || found === undefined) throw new DomainError('not_found')
    // Users who may no longer read a log learn nothing about it, not even about their own entries.
    const mayDelete = isReadable(found) && presentLogEntry(entry, found).mayDelete
    if (!mayDelete || !(await log.delete(id))) throw new DomainError('not_found')
    return { status: 204 }
  })
}

const kinds = {
  note: { max: notesPerDay, refusal: 'note_limit', mayWrite: mayNote },
  signal: { max: signalsPerDay, refusal: 'signal_limit', mayWrite: isHost },
} as const

interface Post {
  readonly kind: keyof typeof kinds
  readonly islandId: string
  readonly text: string
  readonly eventMs: number | null
}

/** @throws DomainError `not_found`, `note_limit`, `signal_limit` */
async function writePost(
  { islands, log, clock }: LogRoutesContext,
  sent: CallLimit,
  { userKey, username, avatar }: UserCaller,
  { kind, islandId, text, eventMs }: Post,
): Promise<LogEntry> {
  const { max, refusal, mayWrite } = kinds[kind]
  const found = await findVisibleIsland(islands, userKey, islandId)
  if (!mayWrite(found.island, found.viewer)) throw new DomainError('not_found')
  const refuse = (waitMs: number) =>
    new DomainError(refusal, { retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)) })
  const waitMs = sent.take(String(userKey))
  if (waitMs > 0) throw refuse(waitMs)
  const atMs = clock()
  const post = { id: randomUUID(), islandKey: found.island.key, kind, text, eventMs, atMs }
  const limits = { max, windowMs: dayMs, maxLines: logLinesPerIsland }
  const outcome = await log.post({ ...post, authorKey: userKey }, limits)
  if (outcome === 'gone') throw new DomainError('not_found')
  if (outcome !== 'posted') throw refuse(outcome.nextMs - atMs)
  const author = { key: userKey, username, avatar }
  return presentLogEntry({ ...post, author, hidden: null }, found)
}

/** For a viewer who may enter the island. */
export function presentLogEntry(
  { id, kind, author, text, eventMs, atMs, hidden }: LogRecord,
  { island, viewer }: Pick<FoundIsland, 'island' | 'viewer'>,
): LogEntry {
  const isPost = kind === 'note' || kind === 'signal'
  const isOwn = author !== null && author.key === viewer.userKey
  const mayDelete = isPost && (isOwn || isHost(island, viewer))
  const named = isPost || mayKnowMembers(island, viewer) ? author : null
  const isHiddenShown = hidden !== null && mayDelete
  return {
    id,
    kind,
    at: isoTime(atMs),
    author: named?.username ?? null,
    authorAvatar: avatarPath(named?.avatar ?? null),
    text,
    eventAt: isoTime(eventMs),
    mayDelete,
    hidden: isHiddenShown ? { at: isoTime(hidden.atMs), reason: hidden.reason } : null,
  }
}
