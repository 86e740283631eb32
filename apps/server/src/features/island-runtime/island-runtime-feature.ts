import type { LlmRequest } from '@astropelago/contract/spark'
import type { FastifyInstance } from 'fastify'
import type { InstanceNotices } from '../../cluster/instance-notices.ts'
import type { Config } from '../../config.ts'
import { DomainError } from '../../domain-error.ts'
import type { FeatureBase } from '../../feature-base.ts'
import { dayMs, writeDay } from '../../history/time-spans.ts'
import { CallLimit } from '../../http/call-limit.ts'
import { limitCalls } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve-route.ts'
import { counted, type OwnDataKind } from '../../own-data.ts'
import type { AccountsFeature } from '../accounts/public.ts'
import type { HostedPagesFeature, PageRules } from '../hosted-pages/public.ts'
import type { IslandsFeature } from '../islands/public.ts'
import type { Rooms } from '../rooms/public.ts'
import type { SparkFeature } from '../spark/public.ts'
import { sqlIslandLlmStore } from './sql-island-llm-store.ts'
import { islandRuntimeRoutes } from './island-runtime-routes.ts'
import type { ValueRule } from './island-values-store.ts'
import { createLiveValues } from './live-values.ts'
import { createRuntimeCalls, type PageVisitor } from './runtime-calls.ts'
import { readRuntimeFiles } from './runtime-files.ts'
import { createRuntimeSockets } from './runtime-sockets.ts'
import { sqlIslandValuesStore } from './sql-island-values-store.ts'
import { sqlVisitorDataStore } from './sql-visitor-data-store.ts'
import type { HeldMessage, VisitorDataStore } from './visitor-data-store.ts'

const deleteUsageMs = 3_600_000
/** Of 4 kB each. */
const messagesReadAtOnce = 500
const usageKeptMs = 7 * dayMs
/** Of one visitor. Each costs a query even where the language model is off. */
const llmCallsPerMinute = 60

/** `spark` on islands: values, rooms and the language model for their pages. */
export async function islandRuntimeFeature(
  base: FeatureBase,
  {
    config,
    webDir,
    islands,
    accounts,
    hostedPages,
    rooms,
    spark,
    notices,
  }: {
    readonly config: Config
    readonly webDir: string | undefined
    readonly islands: IslandsFeature
    readonly accounts: AccountsFeature
    readonly hostedPages: Pick<HostedPagesFeature, 'readRules'>
    readonly rooms: Rooms
    readonly spark: Pick<SparkFeature, 'askForIsland'>
    readonly notices: InstanceNotices
  },
) {
  const { storage, clock, cluster, schedule } = base
  const { served } = islands
  const values = createLiveValues({ ...base, store: sqlIslandValuesStore(storage), notices })
  const llm = sqlIslandLlmStore(storage)
  const data = sqlVisitorDataStore(storage)

  const readValueRule = async (islandKey: number, key: string): Promise<ValueRule> => {
    if (rooms.isClosed(islandKey)) return 'host'
    const pages = served.find(islandKey)?.pages
    return pages == null ? 'own' : ruleOf(await hostedPages.readRules(islandKey, pages.key), key)
  }

  const limitLlm = limitCalls(new CallLimit({ maxCalls: llmCallsPerMinute, windowMs: 60_000 }))
  const askLlm = async (visitor: PageVisitor, request: LlmRequest, signal: AbortSignal) => {
    const { islandKey, userKey, writer, isDemo } = visitor
    limitLlm(userKey ?? visitor.network)
    const hostKey = served.find(islandKey)?.hostKey
    if (hostKey == null || (await llm.readBudget(islandKey)) === 0) throw new DomainError('llm_off')
    if (isDemo) throw new DomainError('llm_demo')
    if (userKey === null || writer === null) throw new DomainError('not_agreed')
    const visitors = {
      reserve: (day: string, tokens: number) => llm.reserve(islandKey, userKey, day, tokens),
      giveBack: (day: string, tokens: number) => llm.giveBack(islandKey, userKey, day, tokens),
    }
    return await spark.askForIsland({ hostKey, visitors }, request, signal)
  }

  const calls = createRuntimeCalls({ values, rooms, clock, readValueRule, askLlm })
  const sockets = createRuntimeSockets({ ...base, calls, accounts, config })
  schedule.everyOnLeader(deleteUsageMs, 'old use of the language model was not deleted', () =>
    llm.deleteBefore(writeDay(clock() - usageKeptMs)),
  )

  return {
    sockets,
    files: await readRuntimeFiles(webDir),
    ownData: [valuesData(data), messagesData(data)],
    routes: (app: FastifyInstance, { serve }: { readonly serve: Serve }) =>
      islandRuntimeRoutes(app, {
        serve,
        data,
        values,
        rooms,
        llm,
        config,
        clock,
        cluster,
        islands,
      }),
  }
}

/** The longest beginning of the key that has a rule decides. */
function ruleOf({ shared }: Pick<PageRules, 'shared'>, key: string): ValueRule {
  const prefixes = Object.keys(shared).filter((prefix) => key.startsWith(prefix))
  const longest = prefixes.toSorted((a, b) => b.length - a.length)[0]
  return longest === undefined ? 'own' : (shared[longest] ?? 'own')
}

function valuesData({ list, listValues }: VisitorDataStore): OwnDataKind {
  return {
    kind: 'islandValues',
    count: async (userKey) => (await list(userKey)).reduce((sum, held) => sum + held.values, 0),
    text: (count) => counted(count, 'value that an island holds', 'values that islands hold'),
    read: async function* (userKey) {
      for (const { islandId, islandKey } of await list(userKey)) {
        for (const { store, key, value } of await listValues(userKey, islandKey)) {
          // A value is JSON already.
          yield `${JSON.stringify({ island: islandId, store, key }).slice(0, -1)},"value":${value}}`
        }
      }
    },
  }
}

function messagesData({ list, listMessages }: VisitorDataStore): OwnDataKind {
  return {
    kind: 'roomMessages',
    count: async (userKey) => (await list(userKey)).reduce((sum, held) => sum + held.messages, 0),
    text: (count) => counted(count, 'message in a room', 'messages in rooms'),
    read: async function* (userKey) {
      for (const { islandId, islandKey } of await list(userKey)) {
        let before: HeldMessage | undefined
        do {
          const page = await listMessages(userKey, islandKey, { before, limit: messagesReadAtOnce })
          for (const { room, atMs, value } of page) {
            yield `${JSON.stringify({ island: islandId, room, atMs }).slice(0, -1)},"value":${value}}`
          }
          before = page.length < messagesReadAtOnce ? undefined : page.at(-1)
        } while (before !== undefined)
      }
    },
  }
}
