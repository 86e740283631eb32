import { Link } from 'react-router'
import { classNames } from '../ui/class-names.ts'

export function NameLink(props: { to: string; className?: string; children: string }) {
  const { to, className, children } = props
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
