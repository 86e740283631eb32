import type { IncomingMessage } from 'node:http'
import { readEntry } from '@astropelago/contract/spark'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import type { FeatureBase } from '../../feature-base.ts'
import type { AnswerCounts } from '../../http/answer-counts.ts'
import type { UserCaller } from '../../http/callers.ts'
import type { AnswerEarly } from '../../http/early-answers.ts'
import type { RateLimits } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve-route.ts'
import type { WatchSession } from '../../http/watch-session.ts'
import { answerValueReads } from './answer-value-reads.ts'
import { cachedValues } from './cached-values.ts'
import { ownSparkData } from './own-spark-data.ts'
import { sparkRoutes } from './spark-routes.ts'
import { sqlLlmUsageStore } from './sql-llm-usage-store.ts'
import { sqlKeyValuesStore } from './sql-key-values-store.ts'

interface SparkFeatureOptions {
  readonly config: Pick<Config, 'llm'>
  readonly accounts: {
    readonly findUser: (request: FastifyRequest) => Promise<UserCaller | undefined>
    readonly watchSession: WatchSession
  }
}

interface EarlyReadsParts {
  readonly answers: AnswerCounts
  readonly cachedUserKey: (request: IncomingMessage) => number | undefined
  readonly takeEarly: RateLimits['takeEarly']
  readonly headers: Readonly<Record<string, string>>
}

/** The server side of the platform runtime. */
export function sparkFeature(
  { storage, changes, clock, metrics }: FeatureBase,
  { config, accounts: { findUser, watchSession } }: SparkFeatureOptions,
) {
  const values = cachedValues(sqlKeyValuesStore(storage))
  changes.subscribe('values', ({ keys }) => values.forgetUsers(keys))
  const llmUsage = sqlLlmUsageStore(storage.db)
  const notePageLoad = metrics.timings({
    name: 'astropelago_page_load_seconds',
    help: 'From the start of a page to the notice that it has loaded, as browsers report it',
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  })
  return {
    ownData: ownSparkData({ keyValues: values.store, llmUsage }),
    routes: (app: FastifyInstance, { serve }: { readonly serve: Serve }) =>
      sparkRoutes(app, {
        llm: config.llm,
        findUser,
        watchSession,
        serve,
        clock,
        keyValues: values.store,
        llmUsage,
        notePageLoad: (loadMs) => notePageLoad(loadMs / 1000),
      }),
    answerEarly: ({ answers, ...early }: EarlyReadsParts): AnswerEarly =>
      answerValueReads({
        ...early,
        knownValue: values.knownValue,
        answered: answers.of(readEntry, 200),
      }),
  }
}
