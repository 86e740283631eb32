import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate, useLocation } from 'react-router'
import { returnState } from '../../lib/return-path.ts'
import { usePagePath } from '../../lib/router/page-path.ts'
import { sessionCheckQuery, useSession } from '../../lib/session.ts'
import { UserContext } from '../../lib/use-user.ts'
import { paths } from '../../paths.ts'
import { PageOutlet } from './page-outlet.tsx'

/**
 * Pages that need a session. Each change of page asks the server again, and nothing renders before the
 * response for that path.
 */
export function GuardedPages() {
  const location = useLocation()
  const client = useQueryClient()
  const check = useQuery(sessionCheckQuery(client, usePagePath()))
  const session = useSession()
  if (check.isPending) return null
  if (check.data !== true || session.state !== 'signed-in') {
    // A user who was sent here from another page returns to that page.
    const state = returnState(location, location.state)
    return <Navigate to={paths.signIn()} replace state={state} />
  }
  return (
    <UserContext value={session.user}>
      <PageOutlet />
    </UserContext>
  )
}
