import { searchesPer10s } from '@astropelago/contract/limits'
import { search, type SearchResults } from '@astropelago/contract/search'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../../domain-error.ts'
import type { FeatureBase } from '../../feature-base.ts'
import { CallLimit } from '../../http/call-limit.ts'
import type { UserCaller } from '../../http/callers.ts'
import { addressKey, type RateLimits } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve-route.ts'
import type { Metrics } from '../../metrics.ts'
import { postgresSearchStore } from './postgres-search-store.ts'
import { searchNetwork, type SearchDeps } from './search-network.ts'
import { sqliteSearchStore } from './sqlite-search-store.ts'

const windowMs = 10_000
/** If this many searches wait, another one would be answered only after its user has typed on. */
const maxAtOnce = 64

interface SearchFeatureOptions {
  readonly presence: { readonly status: SearchDeps['statusOf'] }
  readonly islands: Pick<SearchDeps, 'readCards' | 'isOpen'>
}

interface SearchRoutesOptions {
  readonly serve: Serve
  readonly findUser: (request: FastifyRequest) => Promise<UserCaller | undefined>
  readonly limits: Pick<RateLimits, 'isExempt'>
}

/** Search of the network: everything public, and the user's own things. */
export function searchFeature(
  { storage, cluster, metrics }: FeatureBase,
  { presence, islands }: SearchFeatureOptions,
) {
  const store =
    storage.kind === 'postgres'
      ? postgresSearchStore(storage.longReads)
      : sqliteSearchStore(storage.longReads)
  const deps: SearchDeps = {
    store,
    statusOf: (deviceKey) => presence.status(deviceKey),
    readCards: islands.readCards,
    isOpen: islands.isOpen,
  }
  const searches = new CallLimit({ maxCalls: searchesPer10s, windowMs, servers: cluster.size })
  const outcomes = countOutcomes(metrics)
  let atOnce = 0

  return {
    routes: async (app: FastifyInstance, { serve, findUser, limits }: SearchRoutesOptions) => {
      serve(app, search, async ({ request, query: { q } }) => {
        const user = await findUser(request)
        const isCounted = user !== undefined || !limits.isExempt(request)
        const waitMs = isCounted ? searches.take(String(user?.userKey ?? addressKey(request))) : 0
        if (waitMs > 0) {
          outcomes.rate_limited += 1
          throw new DomainError('rate_limited', { retryAfterS: Math.ceil(waitMs / 1000) })
        }
        if (atOnce >= maxAtOnce) {
          outcomes.unavailable += 1
          throw new DomainError('overloaded')
        }
        atOnce += 1
        try {
          const body = await searchNetwork(deps, user?.userKey ?? null, q)
          outcomes[isEmpty(body) ? 'nothing' : 'found'] += 1
          return { status: 200, body }
        } catch (error) {
          outcomes.unavailable += 1
          throw error
        } finally {
          atOnce -= 1
        }
      })
    },
  }
}

/** Counts searches by outcome. Their duration is in the metrics of all answers. */
function countOutcomes(metrics: Metrics) {
  const outcomes = { found: 0, nothing: 0, rate_limited: 0, unavailable: 0 }
  metrics.counter({
    name: 'astropelago_searches_total',
    help: 'Searches since the start, by what became of them',
    labels: ['outcome'],
    read: () =>
      Object.entries(outcomes).map(([outcome, value]) => ({ labels: { outcome }, value })),
  })
  return outcomes
}

function isEmpty({ islands, satellites, routes }: SearchResults): boolean {
  return islands.length + satellites.length + routes.length === 0
}
