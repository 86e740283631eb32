import { searchesPer10s } from '@astropelago/contract/limits'
import { search } from '@astropelago/contract/search'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../domain-error.ts'
import type { FeatureBase } from '../../feature-base.ts'
import { CallLimit } from '../../http/call-limit.ts'
import type { Serve } from '../../http/serve-route.ts'
import { postgresSearchStore } from './postgres-search-store.ts'
import { searchNetwork, type SearchDeps } from './search-network.ts'
import { sqliteSearchStore } from './sqlite-search-store.ts'

const windowMs = 10_000
/** Who comes when so many wait already would be answered after having typed on. */
const maxAtOnce = 64

/** The search of Discover: over what everybody may know, and what is one's own. */
export function searchFeature({ storage, cluster }: FeatureBase, parts: Omit<SearchDeps, 'store'>) {
  const store =
    storage.kind === 'postgres'
      ? postgresSearchStore(storage.longReads)
      : sqliteSearchStore(storage.longReads)
  const deps = { ...parts, store }
  const searches = new CallLimit({ maxCalls: searchesPer10s, windowMs, servers: cluster.size })
  let atOnce = 0

  return {
    routes: async (app: FastifyInstance, { serve }: { readonly serve: Serve }) => {
      serve(app, search, async ({ user, query: { q } }) => {
        const waitMs = searches.take(String(user.userKey))
        if (waitMs > 0) {
          throw new DomainError('rate_limited', { retryAfterS: Math.ceil(waitMs / 1000) })
        }
        if (atOnce >= maxAtOnce) throw new DomainError('overloaded')
        atOnce += 1
        try {
          return { status: 200, body: await searchNetwork(deps, user.userKey, q) }
        } finally {
          atOnce -= 1
        }
      })
    },
  }
}
