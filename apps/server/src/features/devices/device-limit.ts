import { devicesPerDemoUser } from '@astropelago/contract/limits'
import type { UserCaller } from '../../http/callers.ts'

/** The most devices that a user may have. */
export type DeviceLimit = (user: Pick<UserCaller, 'isDemo'>) => number

export function deviceLimit(devicesPerUser: number): DeviceLimit {
  return ({ isDemo }) => (isDemo ? Math.min(devicesPerDemoUser, devicesPerUser) : devicesPerUser)
}
