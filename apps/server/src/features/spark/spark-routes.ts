import { isUtf8 } from 'node:buffer'
import type { ServerResponse } from 'node:http'
import { avatarPath } from '@astropelago/contract/avatars'
import {
  entriesPerUser,
  entryBytesPerDemoUser,
  entryBytesPerUser,
  entryValueMaxBytes,
  llmBodyMaxBytes,
} from '@astropelago/contract/limits'
import {
  askLlm as askLlmRoute,
  deleteEntry,
  listKeys,
  readEntry,
  readSparkUser,
  reportLoaded,
  writeEntry,
} from '@astropelago/contract/spark'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { DomainError } from '../../domain-error.ts'
import { grouped } from '../../group-turns.ts'
import type { UserCaller } from '../../http/callers.ts'
import type { WatchSession } from '../../http/watch-session.ts'
import type { Serve } from '../../http/serve-route.ts'
import { askLlm, llmFor } from './ask-llm.ts'
import type { EntryId, EntryQuota, EntryWrite, KeyValuesStore } from './key-values-store.ts'
import type { LlmUsageStore } from './llm-usage-store.ts'

export interface SparkParts {
  readonly serve: Serve
  readonly keyValues: KeyValuesStore
  readonly llmUsage: LlmUsageStore
  readonly llm: Config['llm']
  readonly clock: Clock
  readonly findUser: (request: FastifyRequest) => Promise<UserCaller | undefined>
  readonly watchSession: WatchSession
  readonly observePageLoad: (loadS: number) => void
}

const quota = { entries: entriesPerUser, bytes: entryBytesPerUser }
const demoQuota = { ...quota, bytes: entryBytesPerDemoUser }
const writesMaxWeight = 32 * 1024 * 1024
const writeOverhead = 1024
const readsMaxWaiting = 1000

/** The calls of `spark`: the key-value store, the language model, the user and the notice of a load. */
export async function sparkRoutes(app: FastifyInstance, parts: SparkParts) {
  const { serve, keyValues, llm, findUser } = parts
  const read = grouped(keyValues.read, { weigh: () => 1, maxWeight: readsMaxWaiting })
  const groupedWrite = (granted: EntryQuota) =>
    grouped((writes: readonly EntryWrite[]) => keyValues.write(writes, granted), {
      weigh: (entry) => writeOverhead + (entry.kind === 'delete' ? 0 : entry.value.length),
      maxWeight: writesMaxWeight,
    })
  const writeOfUser = groupedWrite(quota)
  const writeOfDemo = groupedWrite(demoQuota)
  const write = (entry: EntryWrite, { isDemo }: UserCaller) =>
    (isDemo ? writeOfDemo : writeOfUser)(entry)

  serve(app, listKeys, async ({ user, query }) => ({
    status: 200,
    body: await keyValues.listKeys(user.userKey, query.collection ?? ''),
  }))

  serve(
    app,
    readEntry,
    async ({ user, params, query, reply }) => {
      const value = await read(entryId(user, params, query))
      if (value === null) throw new DomainError('not_found')
      reply.type('text/plain; charset=utf-8').send(value)
      return undefined
    },
    { isQuiet: true },
  )

  // In a scope of its own, because no other route takes text. A DELETE may claim to have some.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'text/plain',
      { parseAs: 'buffer' },
      async (_request: FastifyRequest, body: Buffer) => utf8(body),
    )
    serve(
      scope,
      writeEntry,
      async ({ user, params, query, body, request }) => {
        // A default never overwrites. It is answered like any other write.
        const kind = request.headers['x-spark-initial'] === 'true' ? 'default' : 'set'
        const entry = { ...entryId(user, params, query), kind, value: body } as const
        const outcome = await write(entry, user)
        if (outcome === 'quota_exceeded') throw new DomainError('quota_exceeded')
        return { status: 204 }
      },
      { bodyLimit: entryValueMaxBytes, isQuiet: true },
    )

    serve(scope, deleteEntry, async ({ user, params, query }) => {
      await write({ ...entryId(user, params, query), kind: 'delete' }, user)
      return { status: 204 }
    })
  })

  serve(app, readSparkUser, async ({ request }) => {
    const user = await findUser(request)
    if (user === undefined) return { status: 200, body: null }
    const { username, name } = user
    const avatar = avatarPath(user.avatar)
    return { status: 200, body: { username, name, avatar, login: username, avatarUrl: avatar } }
  })

  serve(
    app,
    askLlmRoute,
    async ({ user, body, request, reply }) => {
      const deps = { service: llmFor(llm, user), usage: parts.llmUsage, clock: parts.clock }
      const closed = closedEarly(reply.raw)
      const session = parts.watchSession(request, user.userKey)
      const signal = AbortSignal.any([closed, session.signal])
      try {
        return { status: 200, body: await askLlm(deps, user, body, signal) }
      } catch (error) {
        if (session.signal.aborted) throw new DomainError('signed_out', { cause: error })
        if (!closed.aborted) throw error
        // Nothing failed, but the page is closed.
        request.log.info({ err: error }, 'the page went away')
        reply.hijack()
        return undefined
      } finally {
        session.stop()
      }
    },
    { bodyLimit: llmBodyMaxBytes, refuseCaller: ({ user }) => void llmFor(llm, user) },
  )

  serve(app, reportLoaded, async ({ body }) => {
    parts.observePageLoad(body.load_ms / 1000)
    return { status: 204 }
  })
}

function entryId(
  { userKey }: UserCaller,
  { key }: { readonly key: string },
  { collection = '' }: { readonly collection?: string | undefined },
): EntryId {
  return { userKey, collection, key }
}

/** Decoding would replace invalid bytes by another character. */
function utf8(body: Buffer): string {
  if (!isUtf8(body)) throw new DomainError('invalid_input')
  return body.toString()
}

function closedEarly(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  response.once('close', () => {
    if (!response.writableEnded) controller.abort()
  })
  return controller.signal
}
