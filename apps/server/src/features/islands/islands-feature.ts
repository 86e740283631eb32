import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FeatureBase } from '../../feature-base.ts'
import type { UserCaller } from '../../http/callers.ts'
import type { Serve } from '../../http/serve-route.ts'
import type { CarrierDeps } from './change-island.ts'
import { IslandChanges } from './island-changes.ts'
import type { CarrierPresence } from './island-openness.ts'
import { islandsRoutes } from './islands-routes.ts'
import { sqlIslandsStore } from './sql-islands-store.ts'

interface IslandsFeatureOptions extends CarrierDeps {
  readonly presence: CarrierPresence
  readonly maxIslands: number
}

interface IslandsRoutesParts {
  readonly serve: Serve
  readonly findUser: (request: FastifyRequest) => Promise<UserCaller | undefined>
}

/** Islands: what they are, who may know of them and enter, and what becomes of them. */
export function islandsFeature(
  { storage, clock }: FeatureBase,
  { presence, findOwnDeviceKey, maxIslands }: IslandsFeatureOptions,
) {
  const store = sqlIslandsStore(storage.db, { maxIslands })
  const changes = new IslandChanges()
  const parts = { store, clock, presence, changes, findOwnDeviceKey }
  return {
    store,
    changes,
    figures: store.figures,
    routes: async (app: FastifyInstance, routesParts: IslandsRoutesParts) => {
      await islandsRoutes(app, { ...parts, ...routesParts })
    },
  }
}
