import { useQuery } from '@tanstack/react-query'
import { useUser } from '../../../lib/use-user.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { isFirstLoad } from '../../../lib/query-state.ts'
import { DemoNotice } from '../demo-notice.tsx'
import { EmailCard } from './email-card.tsx'
import { ownEmailQuery } from './own-email.ts'
import { PasswordCard } from './password-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { sessionsQuery } from './sessions-query.ts'

/** Where the account is signed in, and how to regain access to it. */
export function SecurityPart() {
  const { isDemo } = useUser()
  const sessions = useQuery(sessionsQuery)
  const email = useQuery({ ...ownEmailQuery, enabled: !isDemo })
  // Everything appears at once, because the content below would jump when these load.
  if (isFirstLoad(sessions) || (!isDemo && isFirstLoad(email))) {
    return (
      <div data-awaited>
        <Skeleton className="h-[36rem] w-full rounded-card" />
      </div>
    )
  }
  return (
    <>
      <SessionsCard query={sessions} />
      {isDemo ? (
        <DemoNotice />
      ) : (
        <div className="grid min-w-0 items-start gap-6 lg:grid-cols-2">
          <PasswordCard />
          <EmailCard query={email} />
        </div>
      )}
    </>
  )
}
