import { useEffect, useState } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { Outlet, useLocation } from 'react-router'
import { useNextPage } from '../../lib/router/next-page.ts'
import { PageSkeleton } from './page-skeleton.tsx'
import { RuntimeError } from './runtime-error.tsx'

/** The page of the current path. An error while it renders leaves the shell intact. */
export function PageOutlet() {
  const { pathname } = useLocation()
  const isAwaited = useNextPageAwaited(pathname)
  return (
    <ErrorBoundary FallbackComponent={RuntimeError} resetKeys={[pathname]}>
      {isAwaited ? <PageSkeleton /> : <Outlet />}
    </ErrorBoundary>
  )
}

/** A page that loads within this time replaces the last one without a skeleton in between. */
const patienceMs = 150

/** Whether the next page's code takes long to load. */
function useNextPageAwaited(pathname: string): boolean {
  const nextPage = useNextPage()
  const [isLate, setIsLate] = useState(false)
  const isNext = nextPage !== undefined && nextPage !== pathname
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
