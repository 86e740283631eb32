import type { Session } from '@astropelago/contract/sessions'
import type { UseQueryResult } from '@tanstack/react-query'
import { AskFirst } from '../../../ui/ask-first.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { ListFailure } from '../../../lib/list-failure.tsx'
import { useNow } from '../../../lib/use-now.ts'
import { accountFailure } from '../account-failure.ts'
import { SessionItem } from './session-item.tsx'
import { useEndOtherSessions } from './sessions-query.ts'

const clockMs = 30_000
const headingId = 'sessions-heading'

/** The user's sessions. */
export function SessionsCard({ query }: { query: UseQueryResult<Session[]> }) {
  const nowMs = useNow(clockMs)
  const showToast = useToast()
  const { data: sessions = [] } = query
  const own = sessions.filter(({ isCurrent }) => isCurrent)
  const others = sessions.filter(({ isCurrent }) => !isCurrent)
  const ending = useEndOtherSessions((count) =>
    showToast({ title: count === 1 ? 'One session ended' : `${count} sessions ended` }),
  )
  return (
    <Card aria-labelledby={headingId}>
      <CardHeader
        id={headingId}
        title="Where you are signed in"
        description="Each browser where you are signed in has a session. So has a command that reports with your session."
      />
      {sessions.length > 0 && (
        <ul aria-label="Sessions" className="flex min-w-0 flex-col border-y border-line">
          {[...own, ...others].map((session) => (
            <SessionItem key={session.id} session={session} nowMs={nowMs} />
          ))}
        </ul>
      )}
      <ListFailure query={query} of="sessions" />
      {others.length > 1 && (
        <div className="flex min-w-0 flex-wrap">
          <AskFirst
            label="End all others"
            name="End all other sessions"
            keep="Keep them"
            confirm={`End ${others.length} sessions`}
            busy={ending.isPending}
            onConfirm={() => ending.mutate()}
          >
            Every other browser is signed out. Commands that report with a session stop.
          </AskFirst>
        </div>
      )}
      <FormError>{ending.isError ? accountFailure(ending.error) : undefined}</FormError>
    </Card>
  )
}
