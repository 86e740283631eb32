import { t } from '@lingui/core/macro'
import { ExplorePage } from './features/explore/explore-page.tsx'
import { NetworkSearch } from './features/search/network-search.tsx'
import { NearPanel } from './ui/on-demand-panel.tsx'
import { Skeleton } from './ui/skeleton.tsx'

const fetchGlobe = async () =>
  (await import('./features/observatory/network-globe.tsx')).NetworkGlobe

export function ExploreWithParts() {
  return (
    <ExplorePage
      search={<NetworkSearch submit={t`Search`} />}
      globe={
        <NearPanel
          what={t`The globe`}
          fetchPanel={fetchGlobe}
          panelProps={{}}
          skeleton={<Skeleton className="h-[34rem] w-full rounded-control" />}
        />
      }
    />
  )
}
