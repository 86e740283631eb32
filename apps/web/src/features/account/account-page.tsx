import type { ComponentType } from 'react'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { AccountHeader } from './account-header.tsx'
import { AccountNavigation } from './account-navigation.tsx'
import { type AccountPart, useAccountPart } from './account-parts.ts'
import { DataPart } from './data/data-part.tsx'
import { DevicesPart } from './devices-part.tsx'
import { KeysPart } from './keys/keys-part.tsx'
import { ProfilePart } from './profile/profile-part.tsx'
import { SecurityPart } from './security/security-part.tsx'

const contents: Readonly<Record<AccountPart['id'], ComponentType>> = {
  devices: DevicesPart,
  profile: ProfilePart,
  security: SecurityPart,
  keys: KeysPart,
  data: DataPart,
}

export function AccountPage() {
  const part = useAccountPart()
  usePageTitle(part.id === 'devices' ? 'Account' : `${part.name} · Account`)
  const Content = contents[part.id]
  return (
    <>
      <AccountHeader />
      <AccountNavigation current={part} />
      <Content />
    </>
  )
}
