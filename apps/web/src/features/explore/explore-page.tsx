import { Link } from 'react-router'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { paths } from '../../paths.ts'
import { buttonStyles } from '../../ui/button-styles.ts'
import { CommunityLounge } from './community-lounge.tsx'
import { Modules } from './modules.tsx'
import { OpenNow } from './open-now.tsx'
import { Places } from './places.tsx'

export function ExplorePage() {
  usePageTitle('Explore')
  return (
    <div className="flex flex-col gap-12 sm:gap-16">
      <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-5">
        <div className="flex max-w-2xl flex-col gap-3">
          <h1 className="text-heading font-semibold">Explore</h1>
          <p className="text-muted">
            Islands are spaces that fellow Navigators host: chats, games, media and apps. Start
            where everybody meets, then find your own way around.
          </p>
        </div>
        <Link to={paths.connect()} className={buttonStyles({ variant: 'outline' })}>
          Connect your device
        </Link>
      </header>
      <CommunityLounge />
      <OpenNow />
      <Places />
      <Modules />
    </div>
  )
}
