import { Link } from 'react-router'
import { classNames } from '../ui/class-names.ts'

interface NameLinkProps {
  to: string
  className?: string
  /** The name that its owner chose. */
  children: string
}

export function NameLink({ to, className, children }: NameLinkProps) {
  return (
    <Link
      to={to}
      className={classNames(
        'font-medium text-ink underline decoration-line-strong underline-offset-4 transition-colors hover:decoration-current',
        className,
      )}
    >
      <bdi>{children}</bdi>
    </Link>
  )
}
