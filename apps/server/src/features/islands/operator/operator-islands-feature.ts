import type { FastifyInstance } from 'fastify'
import type { FeatureBase } from '../../../feature-base.ts'
import type { RelayAddress } from '../../../relay-address.ts'
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
  readonly presence: CarrierPresence
  readonly relayAddress: RelayAddress
}

/** What the app hands in for the operators' routes of islands. */
export type OperatorIslandsParts = Pick<OperatorIslandsRoutesOptions, 'serve' | 'findUserKey'>

/** Lets operators see, hide and hand over islands. */
export function operatorIslandsFeature(
  { storage, clock }: Pick<FeatureBase, 'storage' | 'clock'>,
  { store: islands, ...shared }: OperatorIslandsOptions,
) {
  const { relayAddress } = shared
  const store = sqlOperatorIslandsStore(storage)
  return {
    reportable: reportableIslands({ islands, operatorIslands: store, relayAddress }),
    routes: (app: FastifyInstance, parts: OperatorIslandsParts) =>
      operatorIslandsRoutes(app, { ...parts, ...shared, clock, operatorIslands: store }),
  }
}
