import { t } from '@lingui/core/macro'
import { paths } from '../paths.ts'

export const publicDestinations = [
  { id: 'landing', name: t`Home`, path: paths.landing() },
  { id: 'explore', name: t`Explore`, path: paths.explore() },
] as const

/** Other visitors are asked to sign in. */
export const guardedDestinations = [
  { id: 'dashboard', name: t`Dashboard`, path: paths.dashboard() },
  { id: 'checks', name: t`Checks`, path: paths.checks() },
  { id: 'connect', name: t`Connect`, path: paths.connect() },
  { id: 'discover', name: t`Discover`, path: paths.discover() },
  { id: 'observatory', name: t`Observatory`, path: paths.observatory() },
  { id: 'account', name: t`Account`, path: paths.account() },
] as const

export type Destination = (typeof publicDestinations | typeof guardedDestinations)[number]
