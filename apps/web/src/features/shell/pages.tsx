import { Trans } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useState } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { Navigate, Outlet, useLocation } from 'react-router'
import { returnState } from '../../lib/return-path.ts'
import { useNextPage, usePagePath } from '../../lib/router/page-path.ts'
import { sessionCheckQuery, sessionQuery, useSession } from '../../lib/session.ts'
import { UserContext } from '../../lib/use-user.ts'
import { paths } from '../../paths.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { RuntimeError } from './error-pages.tsx'

/** An error in a page leaves the shell intact. */
function PageOutlet() {
  const { pathname } = useLocation()
  const isAwaited = useNextPageAwaited(usePagePath())
  return (
    <ErrorBoundary FallbackComponent={RuntimeError} resetKeys={[pathname]}>
      {isAwaited ? <PageSkeleton /> : <Outlet />}
    </ErrorBoundary>
  )
}

/** A page that loads within this time replaces the last one without a skeleton in between. */
const patienceMs = 150

function useNextPageAwaited(page: string): boolean {
  const nextPage = useNextPage()
  const [isLate, setIsLate] = useState(false)
  const isNext = nextPage !== undefined && nextPage !== page
  useEffect(() => {
    if (!isNext) return undefined
    const timer = setTimeout(() => setIsLate(true), patienceMs)
    return () => {
      clearTimeout(timer)
      setIsLate(false)
    }
  }, [isNext])
  return isNext && isLate
}

/** Pages render at once, and the session loads in the background. */
export function PublicPages() {
  useQuery(sessionQuery)
  return <PageOutlet />
}

/** Each change of page asks the server again. Nothing renders before its answer. */
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

function PageSkeleton() {
  // The new page starts at the top. The router has stored the last page's scroll position.
  useLayoutEffect(() => {
    window.scrollTo(0, 0)
  }, [])
  return (
    <>
      <output className="sr-only">
        <Trans>Loading the page…</Trans>
      </output>
      <div className="flex flex-col gap-5">
        <Skeleton className="h-9 w-56 max-w-full rounded-control" />
        <Skeleton className="h-5 w-md max-w-full rounded-mark" />
      </div>
      <Skeleton className="h-96 w-full rounded-card" />
    </>
  )
}
