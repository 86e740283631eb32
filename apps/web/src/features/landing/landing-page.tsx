import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import { siteName, usePageTitle } from '../../lib/use-page-title.ts'
import { paths } from '../../paths.ts'
import { buttonStyles } from '../../ui/button-styles.ts'

export function LandingPage() {
  usePageTitle()
  return (
    <div className="flex flex-1 flex-col justify-center gap-6 py-10 sm:py-20">
      <h1 className="text-hero font-semibold">{siteName}</h1>
      <p className="max-w-xl text-lg text-muted">
        The community-powered meta-network. Connect a device of your own and watch it come online.
      </p>
      <div className="mt-2 flex flex-wrap gap-3">
        <Link to={paths.explore()} className={buttonStyles({ size: 'lg' })}>
          Explore
          <ArrowRight aria-hidden />
        </Link>
        <Link to={paths.connect()} className={buttonStyles({ size: 'lg', variant: 'outline' })}>
          Connect your device
        </Link>
      </div>
    </div>
  )
}
