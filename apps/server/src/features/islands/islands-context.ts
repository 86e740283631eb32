import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { UserCaller } from '../../http/callers.ts'
import type { OwnOrigin } from '../../http/own-origin.ts'
import type { RateLimits } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve-route.ts'
import type { RelayAddress } from '../../relay-address.ts'
import type { CarrierPresence } from './island-openness.ts'
import type { IslandsStore } from './islands-store.ts'

/** What all parts of the feature are built on. */
export interface IslandsContext {
  readonly islands: IslandsStore
  readonly clock: Clock
  readonly presence: CarrierPresence
  readonly relayAddress: RelayAddress
  /** Undefined if the user has no such device. */
  readonly findOwnDeviceKey: (userKey: number, id: string) => Promise<number | undefined>
}

/** The same for their routes. `app.ts` provides the rest. */
export interface IslandsRoutesContext extends IslandsContext {
  readonly serve: Serve
  /** Undefined for a visitor who is not signed in. */
  readonly findUser: (request: FastifyRequest) => Promise<UserCaller | undefined>
  /** By username; undefined if there is no such user. */
  readonly findUserKey: (username: string) => Promise<number | undefined>
  /** Keys of the islands that a user follows, including those the user may not see now. */
  readonly listFollowed: (userKey: number) => Promise<readonly number[]>
  readonly ownOrigin: OwnOrigin
  readonly limits: Pick<RateLimits, 'useCode'>
}
