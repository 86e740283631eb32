import type { IncomingMessage } from 'node:http'
import { type LlmRequest, readEntry } from '@astropelago/contract/spark'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import type { FeatureBase } from '../../feature-base.ts'
import type { AnswerEarly, EarlyParts } from '../../http/early-answers.ts'
import type { Serve } from '../../http/serve-route.ts'
import { counted, ownList, type OwnDataKind } from '../../own-data.ts'
import { askLlm, llmFor } from './ask-llm.ts'
import { cachedValues, type CachedValues } from './cached-values.ts'
import type { KeyValuesStore } from './key-values-store.ts'
import type { LlmUsageStore } from './llm-usage-store.ts'
import { sparkRoutes, type SparkParts } from './spark-routes.ts'
import { sqlLlmUsageStore } from './sql-llm-usage-store.ts'
import { sqlKeyValuesStore } from './sql-key-values-store.ts'

/** Values can be half a megabyte each. */
const valuesReadAtOnce = 4

interface EarlyReads extends EarlyParts {
  /** The user of the request's session, if that is cached. */
  readonly cachedUserKey: (request: IncomingMessage) => number | undefined
}

export function sparkFeature(
  { storage, changes, clock, metrics }: FeatureBase,
  {
    config: { llm },
    accounts: { findUser, watchSession },
  }: {
    readonly config: Pick<Config, 'llm'>
    readonly accounts: Pick<SparkParts, 'findUser' | 'watchSession'>
  },
) {
  const values = cachedValues(sqlKeyValuesStore(storage))
  changes.subscribe('values', ({ keys }) => values.forgetUsers(keys))
  const stores = { keyValues: values.store, llmUsage: sqlLlmUsageStore(storage.db) }
  const observePageLoad = metrics.timings({
    name: 'astropelago_page_load_seconds',
    help: 'From the start of a page to the notice that it has loaded, as browsers report it',
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  })
  return {
    /** Counts against the budgets of the island’s host and of its visitors. @throws DomainError */
    askForIsland: async (
      {
        hostKey,
        visitors,
      }: {
        readonly hostKey: number
        readonly visitors: {
          readonly reserve: (day: string, tokens: number) => Promise<boolean>
          readonly giveBack: (day: string, tokens: number) => Promise<void>
        }
      },
      request: LlmRequest,
      signal: AbortSignal,
    ) => {
      const { llmUsage } = stores
      const usage: Pick<LlmUsageStore, 'reserve' | 'giveBack'> = {
        reserve: async (userKey, day, tokens, ...budgets) => {
          if (!(await visitors.reserve(day, tokens))) return false
          let isReserved = false
          try {
            isReserved = await llmUsage.reserve(userKey, day, tokens, ...budgets)
          } finally {
            if (!isReserved) await visitors.giveBack(day, tokens)
          }
          return isReserved
        },
        giveBack: async (userKey, day, tokens) => {
          await Promise.all([
            llmUsage.giveBack(userKey, day, tokens),
            visitors.giveBack(day, tokens),
          ])
        },
      }
      const service = llmFor(llm, { isDemo: false })
      return await askLlm({ service, usage, clock }, { userKey: hostKey }, request, signal)
    },
    ownData: [ownValues(stores.keyValues), ownLlmUsage(stores.llmUsage)],
    routes: (app: FastifyInstance, { serve }: { readonly serve: Serve }) =>
      sparkRoutes(app, { ...stores, serve, llm, findUser, watchSession, clock, observePageLoad }),
    answerEarly: (early: EarlyReads) => answerValueReads(early, values.cachedValue),
  }
}

const entriesPath = readEntry.path.replace(':key', '')
/** A key that needs no decoding, and at most a collection. */
const plainAddress = /^([\w.~-]+)(?:\?collection=([\w.-]+))?$/

/** Answers reads from memory. Everything else goes to the route, where a read costs twice as much. */
function answerValueReads(
  { answers, cachedUserKey, takeEarly, ...early }: EarlyReads,
  cachedValue: CachedValues['cachedValue'],
): AnswerEarly {
  const answered = answers.of(readEntry, 200)
  const headers = Object.entries({
    ...early.headers,
    'cache-control': 'no-store',
    'content-type': 'text/plain; charset=utf-8',
  }).flat()

  return (request, response) => {
    const { url = '', method } = request
    if (method !== readEntry.method || !url.startsWith(entriesPath)) return false
    const [, key, collection = ''] = plainAddress.exec(url.slice(entriesPath.length)) ?? []
    if (key === undefined) return false
    const userKey = cachedUserKey(request)
    if (userKey === undefined) return false
    const value = cachedValue({ userKey, collection, key })
    if (typeof value !== 'string' || !takeEarly(request.socket)) return false
    response
      .writeHead(200, [...headers, 'content-length', String(Buffer.byteLength(value))])
      .end(value)
    answered.count += 1
    return true
  }
}

function ownValues({ count, listAll, read }: KeyValuesStore): OwnDataKind {
  return {
    kind: 'keyValues',
    count,
    text: (values) => counted(values, 'stored value', 'stored values'),
    read: async function* (userKey) {
      const ids = await listAll(userKey)
      for (let from = 0; from < ids.length; from += valuesReadAtOnce) {
        const page = ids.slice(from, from + valuesReadAtOnce)
        const values = await read(page)
        for (const [at, { collection, key }] of page.entries()) {
          const value = values[at]
          // Deleted meanwhile.
          if (value == null) continue
          // A value is JSON already, and may be large and deep.
          yield `${JSON.stringify({ collection, key }).slice(0, -1)},"value":${value}}`
        }
      }
    },
  }
}

function ownLlmUsage({ list }: LlmUsageStore): OwnDataKind {
  return ownList({
    kind: 'languageModelUse',
    text: (days) => counted(days, 'day', 'days') + ' of language model use',
    list,
  })
}
