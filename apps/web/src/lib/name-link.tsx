import { Link } from 'react-router'
import { classNames } from '../ui/class-names.ts'

interface NameLinkProps {
  to: string
  /** How it breaks or is cut off. */
  className?: string
  /** What its people call it. */
  children: string
}

/** A thing by its name, in a sentence or a row: it leads to the thing’s page. */
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
