import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { paths } from '../paths.ts'
import { keepWayBack } from './way-back.ts'

/** The sign-in then returns to this page. */
export function SignInLink({ className, children }: { className: string; children: ReactNode }) {
  const { pathname, search, hash } = useLocation()
  return (
    <Link
      to={paths.signIn()}
      onClick={() => keepWayBack(`${pathname}${search}${hash}`)}
      className={className}
    >
      {children}
    </Link>
  )
}
