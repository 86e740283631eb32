import { useUser } from '../../../lib/use-user.ts'
import { DemoNotice } from '../demo-notice.tsx'
import { RenewTokens } from './renew-tokens.tsx'

/** The secrets that machines report with. */
export function KeysPart() {
  const { isDemo } = useUser()
  return isDemo ? <DemoNotice /> : <RenewTokens />
}
