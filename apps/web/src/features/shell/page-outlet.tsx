import { useEffect, useState } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { Outlet, useLocation } from 'react-router'
import { useNextPage, usePagePath } from '../../lib/router/page-path.ts'
import { PageSkeleton } from './page-skeleton.tsx'
import { RuntimeError } from './runtime-error.tsx'

/** The page of the current path. An error while it renders leaves the shell intact. */
export function PageOutlet() {
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

/** Whether the next page's code takes long to load. */
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
