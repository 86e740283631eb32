import {
  deleteLogEntry,
  leaveNote,
  logPageLength,
  readLog,
  sendSignal,
} from '@astropelago/contract/island-log'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../../../domain-error.ts'
import type { UserCaller } from '../../../http/callers.ts'
import { refuseDemo } from '../../../http/refuse-demo.ts'
import type { Serve } from '../../../http/serve-route.ts'
import { readPosition, writePosition } from '../../../page-position.ts'
import { isHost, mayEnter } from '../access-policy.ts'
import { findVisibleIsland } from '../find-island.ts'
import type { IslandsStore } from '../islands-store.ts'
import type { LogStore } from './log-store.ts'
import { presentLogEntry } from './present-log-entry.ts'
import { writePost, type WritePostDeps } from './write-post.ts'

export interface LogRoutesOptions extends WritePostDeps {
  readonly serve: Serve
  /** The signed-in user; undefined for a visitor. */
  readonly findUser: (request: FastifyRequest) => Promise<UserCaller | undefined>
  readonly islands: Pick<IslandsStore, 'findById' | 'read'>
  readonly log: LogStore
}

export async function logRoutes(app: FastifyInstance, options: LogRoutesOptions) {
  const { serve, findUser, islands, log } = options

  serve(app, readLog, async ({ params, query, request }) => {
    const user = await findUser(request)
    const readerKey = user?.userKey ?? null
    const found = await findVisibleIsland(islands, readerKey, params.id)
    const { island, viewer } = found
    if (!mayEnter(island, viewer)) throw new DomainError('not_found')
    const after = readPosition(query.after)
    if (after === undefined) throw new DomainError('invalid_input')
    // One more than the page shows, to know whether there are more.
    const entries = await log.read([{ islandKey: island.key, isHost: isHost(island, viewer) }], {
      readerKey,
      after,
      limit: logPageLength + 1,
    })
    const shown = entries.slice(0, logPageLength)
    const last = shown.at(-1)
    return {
      status: 200,
      body: {
        entries: shown.map((entry) => presentLogEntry(entry, found)),
        next: entries.length > logPageLength && last !== undefined ? writePosition(last) : null,
      },
    }
  })

  serve(
    app,
    leaveNote,
    async ({ user, params, body: { text } }) => {
      const post = { kind: 'note', islandId: params.id, text, eventMs: null } as const
      const { entry, found } = await writePost(options, user, post)
      return { status: 201, body: presentLogEntry(entry, found) }
    },
    { refuseCaller: refuseDemo },
  )

  serve(
    app,
    sendSignal,
    async ({ user, params, body: { text, eventAt } }) => {
      const eventMs = eventAt === null ? null : Date.parse(eventAt)
      const post = { kind: 'signal', islandId: params.id, text, eventMs } as const
      const { entry, found } = await writePost(options, user, post)
      return { status: 201, body: presentLogEntry(entry, found) }
    },
    { refuseCaller: refuseDemo },
  )

  serve(app, deleteLogEntry, async ({ user: { userKey }, params: { id } }) => {
    const [entry] = await log.find([id])
    const [its] = entry === undefined ? [] : await islands.read([entry.islandKey])
    if (entry === undefined || its === undefined) throw new DomainError('not_found')
    // Users who may no longer read a log learn nothing about it, not even about their own entries.
    const found = await findVisibleIsland(islands, userKey, its.id)
    const isRead = mayEnter(found.island, found.viewer)
    if (!isRead || !presentLogEntry(entry, found).mayDelete) throw new DomainError('not_found')
    const wasThere = await log.delete(id)
    if (!wasThere) throw new DomainError('not_found')
    return { status: 204 }
  })
}
