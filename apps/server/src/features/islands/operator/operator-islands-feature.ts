import type { FastifyInstance } from 'fastify'
import type { FeatureBase } from '../../../feature-base.ts'
import type { IslandChanges } from '../island-changes.ts'
import type { CarrierPresence } from '../island-openness.ts'
import type { IslandsStore } from '../islands-store.ts'
import {
  operatorIslandsRoutes,
  type OperatorIslandsRoutesOptions,
} from './operator-islands-routes.ts'
import { reportableIslands } from './reportable-islands.ts'
import { sqlOperatorIslandsStore } from './sql-operator-islands-store.ts'

interface OperatorIslandsOptions {
  readonly store: IslandsStore
  readonly changes: IslandChanges
  readonly presence: CarrierPresence
}

/** What the app has to hand in for the operators' routes of islands. */
export type OperatorIslandsParts = Pick<OperatorIslandsRoutesOptions, 'serve' | 'findUserKey'>

/** Islands as operators see, hide and hand them over. */
export function operatorIslandsFeature(
  { storage }: Pick<FeatureBase, 'storage'>,
  { store: islands, changes, presence }: OperatorIslandsOptions,
) {
  const store = sqlOperatorIslandsStore(storage.db)
  return {
    reportable: reportableIslands({ islands, operatorIslands: store, changes }),
    routes: (app: FastifyInstance, parts: OperatorIslandsParts) =>
      operatorIslandsRoutes(app, { ...parts, operatorIslands: store, presence, changes }),
  }
}
