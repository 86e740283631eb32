import { useEffect, useState } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { Outlet, useLocation, useNavigation } from 'react-router'
import { PageSkeleton } from './page-skeleton.tsx'
import { RuntimeError } from './runtime-error.tsx'

/** The page of the current path; one that breaks while it is drawn leaves the shell standing. */
export function PageOutlet() {
  const { pathname } = useLocation()
  const isAwaited = useNextPageAwaited(pathname)
  return (
    <ErrorBoundary FallbackComponent={RuntimeError} resetKeys={[pathname]}>
      {isAwaited ? <PageSkeleton /> : <Outlet />}
    </ErrorBoundary>
  )
}

/** A page that comes sooner takes the last one's place without a skeleton between them. */
const patienceMs = 150

/** Whether the code of the page that was asked for keeps its visitor waiting. */
function useNextPageAwaited(pathname: string): boolean {
  const { location: next } = useNavigation()
  const [isLate, setIsLate] = useState(false)
  const isNext = next !== undefined && next.pathname !== pathname
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
