import { Link, useLocation } from 'react-router'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { paths } from '../../paths.ts'
import { buttonStyles } from '../../ui/button-styles.ts'
import { Trouble } from './trouble.tsx'

export function NotFoundPage() {
  usePageTitle('Not found')
  const { pathname } = useLocation()
  return (
    <Trouble title="Nothing at this address">
      <p className="max-w-full text-muted">
        There is no page at <span className="font-mono break-all text-ink">{pathname}</span>. The
        link may be old, or have a typing mistake in it.
      </p>
      <div className="flex flex-wrap gap-3">
        <Link to={paths.explore()} className={buttonStyles()}>
          Explore
        </Link>
        <Link to={paths.landing()} className={buttonStyles({ variant: 'outline' })}>
          Go to the start
        </Link>
      </div>
    </Trouble>
  )
}
