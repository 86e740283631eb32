import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { paths } from '../paths.ts'
import { keepWayBack } from './way-back.ts'

interface SignInLinkProps {
  className: string
  children: ReactNode
}

/** Links to the sign-in, which then returns to this page. */
export function SignInLink({ className, children }: SignInLinkProps) {
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
