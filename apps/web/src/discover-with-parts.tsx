import { t } from '@lingui/core/macro'
import { useAnnouncements } from './features/announcements/announcement-line.tsx'
import { Mothership, MothershipLinks } from './features/announcements/mothership.tsx'
import { CategoriesButton } from './features/discover/categories.tsx'
import { DiscoverPage } from './features/discover/discover-page.tsx'
import { NetworkSearch } from './features/search/network-search.tsx'
import { OnDemandPanel } from './ui/on-demand-panel.tsx'
import { Skeleton } from './ui/skeleton.tsx'

const fetchSatellites = async () =>
  (await import('./features/observatory/satellites.tsx')).Satellites
const fetchGuides = async () => (await import('./features/library/guide-list.tsx')).GuideList

/** Not in routes.tsx, because its dependencies would add to every page's first load. */
export function DiscoverWithParts() {
  // The Mothership shows failures.
  const { data: announcements = [] } = useAnnouncements()
  return (
    <DiscoverPage
      search={<NetworkSearch submit={t`Discover`} beside={<CategoriesButton />} />}
      mothership={<Mothership />}
      mothershipLinks={<MothershipLinks announcements={announcements} />}
      satellites={
        <OnDemandPanel
          what={t`The list of satellites`}
          fetchPanel={fetchSatellites}
          panelProps={{}}
          skeleton={<Skeleton className="h-[42rem] w-full rounded-card" />}
        />
      }
      library={
        <OnDemandPanel
          what={t`The library`}
          fetchPanel={fetchGuides}
          panelProps={{}}
          skeleton={<Skeleton className="h-[42rem] w-full rounded-card" />}
        />
      }
    />
  )
}
