import { paths } from '../../paths.ts'

/** In the order in which users need them. Irreversible actions come last. */
export const accountParts = [
  { id: 'devices', name: 'Devices', path: paths.account() },
  { id: 'alerts', name: 'Alerts', path: paths.accountPart('alerts') },
  { id: 'sharing', name: 'Sharing', path: paths.accountPart('sharing') },
  { id: 'profile', name: 'Profile', path: paths.accountPart('profile') },
  { id: 'security', name: 'Security', path: paths.accountPart('security') },
  { id: 'keys', name: 'Keys', path: paths.accountPart('keys') },
  { id: 'data', name: 'Data', path: paths.accountPart('data') },
] as const

export type AccountPart = (typeof accountParts)[number]
