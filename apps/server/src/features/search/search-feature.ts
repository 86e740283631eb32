import { searchesPer10s } from '@astropelago/contract/limits'
import { search } from '@astropelago/contract/search'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../../domain-error.ts'
import type { FeatureBase } from '../../feature-base.ts'
import { CallLimit } from '../../http/call-limit.ts'
import type { UserCaller } from '../../http/callers.ts'
import { addressKey, type RateLimits } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve-route.ts'
import { postgresSearchStore } from './postgres-search-store.ts'
import { searchNetwork, type SearchParts } from './search-network.ts'
import { sqliteSearchStore } from './sqlite-search-store.ts'

const windowMs = 10_000
/** If this many searches wait, another one would be answered only after its user has typed on. */
const maxAtOnce = 64

interface SearchRoutesParts {
  readonly serve: Serve
  readonly findUser: (request: FastifyRequest) => Promise<UserCaller | undefined>
  readonly limits: Pick<RateLimits, 'isExempt'>
}

/** Search of the network: everything public, and the user's own devices and islands. */
export function searchFeature(
  { storage, cluster, metrics }: FeatureBase,
  { presence, islands }: Omit<SearchParts, 'store'>,
) {
  const store =
    storage.kind === 'postgres'
      ? postgresSearchStore(storage.longReads)
      : sqliteSearchStore(storage.longReads)
  const searches = new CallLimit({ maxCalls: searchesPer10s, windowMs, servers: cluster.size })
  const outcomes = { found: 0, nothing: 0, rate_limited: 0, unavailable: 0 }
  metrics.counter({
    name: 'astropelago_searches_total',
    help: 'Searches since the start, by what became of them',
    labels: ['outcome'],
    read: () =>
      Object.entries(outcomes).map(([outcome, value]) => ({ labels: { outcome }, value })),
  })
  let atOnce = 0

  return {
    routes: async (app: FastifyInstance, { serve, findUser, limits }: SearchRoutesParts) => {
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
          const body = await searchNetwork({ store, presence, islands }, user?.userKey ?? null, q)
          const count = body.islands.length + body.satellites.length + body.routes.length
          outcomes[count === 0 ? 'nothing' : 'found'] += 1
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
