import { useUser } from '../../../lib/use-user.ts'
import { DemoNotice } from '../demo-notice.tsx'
import { ApiKeysCard } from './api-keys-card.tsx'
import { RenewTokens } from './renew-tokens.tsx'

/** The secrets that programs call with, and those that machines report with. */
export function KeysPart() {
  const { isDemo } = useUser()
  if (isDemo) return <DemoNotice />
  return (
    <>
      <ApiKeysCard />
      <RenewTokens />
    </>
  )
}
