import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { UserCaller } from '../../http/callers.ts'
import type { OwnOrigin } from '../../http/own-origin.ts'
import type { RateLimits } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve-route.ts'
import type { RelayAddress } from '../../relay-address.ts'
import type { CarrierPresence } from './island-openness.ts'
import type { IslandsStore } from './islands-store.ts'

export interface IslandsContext {
  readonly islands: IslandsStore
  readonly clock: Clock
  readonly presence: CarrierPresence
  readonly relayAddress: RelayAddress
  readonly findOwnDeviceKey: (userKey: number, id: string) => Promise<number | undefined>
}

export interface IslandsRoutesContext extends IslandsContext {
  readonly serve: Serve
  readonly findUser: (request: FastifyRequest) => Promise<UserCaller | undefined>
  readonly findUserKey: (username: string) => Promise<number | undefined>
  /** Includes islands that the user may not see now. */
  readonly listFollowed: (userKey: number) => Promise<readonly number[]>
  readonly ownOrigin: OwnOrigin
  readonly limits: Pick<RateLimits, 'useCode'>
}
