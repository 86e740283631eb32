import type { Clock } from '../../clock.ts'
import type { OwnOrigin } from '../../http/own-origin.ts'
import type { RateLimits } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve-route.ts'
import type { RelayAddress } from '../../relay-address.ts'
import type { AccountsFeature } from '../accounts/public.ts'
import type { DevicesFeature } from '../devices/public.ts'
import type { CarrierPresence } from './island-openness.ts'
import type { IslandsStore } from './islands-store.ts'

export interface IslandsContext extends Pick<DevicesFeature, 'findOwnDeviceKey'> {
  readonly islands: IslandsStore
  readonly clock: Clock
  readonly presence: CarrierPresence
  readonly relayAddress: RelayAddress
  readonly hostsPages: boolean
}

export interface IslandsRoutesContext
  extends IslandsContext, Pick<AccountsFeature, 'findUser' | 'findUserKey'> {
  readonly serve: Serve
  /** Includes islands that the user may not see now. */
  readonly listFollowed: (userKey: number) => Promise<readonly number[]>
  readonly ownOrigin: OwnOrigin
  readonly limits: Pick<RateLimits, 'useCode'>
}
