import { useUser } from '../../../lib/use-user.ts'
import { DemoNotice } from '../demo-notice.tsx'
import { ApiKeysCard } from './api-keys-card.tsx'
import { RenewTokens } from './renew-tokens.tsx'

/** The API keys of programs and the tokens of devices. */
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
