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

export async function logRoutes(
  app: FastifyInstance,
  context: IslandsRoutesContext & { readonly log: LogStore },
) {
  const { serve, findUser, islands, log, clock } = context
  /** Counts posts, deleted ones too. The stored limit's day does not include its last millisecond. */
  const daily = (maxCalls: number) =>
    new CallLimit({ maxCalls, windowMs: dayMs - 1, perf: { now: clock } })
  const kinds = {
    note: { max: notesPerDay, sent: daily(notesPerDay), refusal: 'note_limit', mayWrite: mayNote },
    signal: {
      max: signalsPerDay,
      sent: daily(signalsPerDay),
      refusal: 'signal_limit',
      mayWrite: isHost,
    },
  } as const

  /** @throws DomainError `not_found`, `note_limit`, `signal_limit` */
  const writePost = async (
    kind: keyof typeof kinds,
    { userKey, username, avatar }: UserCaller,
    islandId: string,
    { text, eventMs }: { readonly text: string; readonly eventMs: number | null },
  ) => {
    const { max, sent, refusal, mayWrite } = kinds[kind]
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
    const body = presentLogEntry({ ...post, author, hidden: null }, found)
    return { status: 201, body } as const
  }

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
    ({ user, params: { id }, body: { text } }) =>
      writePost('note', user, id, { text, eventMs: null }),
    { refuseCaller: refuseDemo },
  )

  serve(
    app,
    sendSignal,
    ({ user, params: { id }, body: { text, eventAt } }) => {
      const eventMs = eventAt === null ? null : Date.parse(eventAt)
      return writePost('signal', user, id, { text, eventMs })
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
