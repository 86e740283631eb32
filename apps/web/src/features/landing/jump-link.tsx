import type { ReactNode } from 'react'
import { Link } from 'react-router'

interface JumpLinkProps {
  /** The page with the section's id as its hash. */
  to: string
  className?: string
  children: ReactNode
}

/** A link to a section of this page; the way there is shown, not skipped. */
export function JumpLink({ to, className, children }: JumpLinkProps) {
  return (
    <Link
      to={to}
      className={className}
      onClick={() => {
        // The style sheet makes this jump smooth, and leaves it instant under reduced motion.
        // Not set for good: going back or to another page must not glide over a whole page.
        document.documentElement.dataset['jump'] = ''
      }}
    >
      {children}
    </Link>
  )
}
