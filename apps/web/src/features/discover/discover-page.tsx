import { Link } from 'react-router'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { paths } from '../../paths.ts'
import { buttonStyles } from '../../ui/button-styles.ts'
import { PageHeader } from '../../ui/page-header.tsx'

export function DiscoverPage() {
  usePageTitle('Discover')
  return (
    <PageHeader
      title="Discover"
      lead="The place to search for islands, satellites and routes. There is nothing to search yet, but your own device can be the first."
    >
      <Link to={paths.connect()} className={buttonStyles()}>
        Connect your device
      </Link>
      <Link to={paths.explore()} className={buttonStyles({ variant: 'outline' })}>
        Explore
      </Link>
    </PageHeader>
  )
}
