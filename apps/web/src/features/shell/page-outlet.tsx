import { ErrorBoundary } from 'react-error-boundary'
import { Outlet, useLocation } from 'react-router'
import { RuntimeError } from './runtime-error.tsx'

/** The page of the current path; one that breaks while it is drawn leaves the shell standing. */
export function PageOutlet() {
  const { pathname } = useLocation()
  return (
    <ErrorBoundary FallbackComponent={RuntimeError} resetKeys={[pathname]}>
      <Outlet />
    </ErrorBoundary>
  )
}
