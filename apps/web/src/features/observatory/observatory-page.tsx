import { Link } from 'react-router'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { paths } from '../../paths.ts'
import { buttonStyles } from '../../ui/button-styles.ts'
import { PageHeader } from '../../ui/page-header.tsx'

export function ObservatoryPage() {
  usePageTitle('Observatory')
  return (
    <PageHeader
      title="Observatory"
      lead="Sky and Earth, with every public device in its place, will be drawn here."
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
