import { useSearchParams } from 'react-router'
import { paths } from '../../paths.ts'

const parameter = 'part'

/** In the order in which users need them. Irreversible actions come last. */
export const accountParts = [
  { id: 'devices', name: 'Devices' },
  { id: 'alerts', name: 'Alerts' },
  { id: 'sharing', name: 'Sharing' },
  { id: 'profile', name: 'Profile' },
  { id: 'security', name: 'Security' },
  { id: 'keys', name: 'Keys' },
  { id: 'data', name: 'Data' },
] as const

export type AccountPart = (typeof accountParts)[number]

/** The part in the address, or Devices if the address has no valid part. */
export function useAccountPart(): AccountPart {
  const [parameters] = useSearchParams()
  const asked = parameters.get(parameter)
  return accountParts.find(({ id }) => id === asked) ?? accountParts[0]
}

export function accountPartPath({ id }: AccountPart): string {
  return id === 'devices' ? paths.account() : paths.accountPart(id)
}
