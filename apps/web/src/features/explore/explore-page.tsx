import { Link } from 'react-router'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { paths } from '../../paths.ts'
import { buttonStyles } from '../../ui/button-styles.ts'
import { PageHeader } from '../../ui/page-header.tsx'

export function ExplorePage() {
  usePageTitle('Explore')
  return (
    <PageHeader
      title="Explore"
      lead="Islands are spaces that fellow Navigators host: chats, games, media and apps. This is where they will stand; until then, bring a device of your own online."
    >
      <Link to={paths.connect()} className={buttonStyles()}>
        Connect your device
      </Link>
      <Link to={paths.account()} className={buttonStyles({ variant: 'outline' })}>
        Account
      </Link>
    </PageHeader>
  )
}
