import type { ComponentType, ReactNode } from 'react'
import { usePagePart } from '../../lib/router/page-parts.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { AccountHeader } from './account-header.tsx'
import { AccountNavigation } from './account-navigation.tsx'
import { type AccountPart, accountParts } from './account-parts.ts'
import { DataPart } from './data/data-part.tsx'
import { DevicesPart } from './devices-part.tsx'
import { KeysPart } from './keys/keys-part.tsx'
import { ProfilePart } from './profile/profile-part.tsx'
import { SecurityPart } from './security/security-part.tsx'

interface AccountPageProps {
  /** Filled by other features. */
  alerts: ReactNode
  sharing: ReactNode
}

const contents: Readonly<Record<Exclude<AccountPart['id'], 'alerts' | 'sharing'>, ComponentType>> =
  {
    devices: DevicesPart,
    profile: ProfilePart,
    security: SecurityPart,
    keys: KeysPart,
    data: DataPart,
  }

export function AccountPage({ alerts, sharing }: AccountPageProps) {
  const part = usePagePart(accountParts) ?? accountParts[0]
  usePageTitle(part.id === 'devices' ? 'Account' : `${part.name} · Account`)
  return (
    <>
      <AccountHeader />
      <AccountNavigation current={part} />
      {part.id === 'alerts' && alerts}
      {part.id === 'sharing' && sharing}
      {part.id !== 'alerts' && part.id !== 'sharing' && <Content id={part.id} />}
    </>
  )
}

function Content({ id }: { id: keyof typeof contents }) {
  const Part = contents[id]
  return <Part />
}
