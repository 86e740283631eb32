import { paths } from '../paths.ts'

export const publicDestinations = [
  { name: 'Home', path: paths.landing() },
  { name: 'Explore', path: paths.explore() },
] as const

/** Other visitors are asked to sign in. */
export const guardedDestinations = [
  { name: 'Dashboard', path: paths.dashboard() },
  { name: 'Connect', path: paths.connect() },
  { name: 'Discover', path: paths.discover() },
  { name: 'Observatory', path: paths.observatory() },
  { name: 'Account', path: paths.account() },
] as const

export type Destination = (typeof publicDestinations | typeof guardedDestinations)[number]
