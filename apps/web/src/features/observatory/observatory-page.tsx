import { ArrowLeft } from 'lucide-react'
import { Link } from 'react-router'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { paths } from '../../paths.ts'
import { buttonStyles } from '../../ui/button-styles.ts'
import { Card, CardHeader } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CountryJump } from './countries/country-jump.tsx'
import { LocationPanel } from './location/location-panel.tsx'
import { MapPanel } from './map/map-panel.tsx'
import { OnDemandPanel } from './on-demand-panel.tsx'
import { PanelBoundary } from './panel-boundary.tsx'
import { ObservatoryStatus } from './status/observatory-status.tsx'
import { useObservatory } from './use-observatory.ts'
import { usePreferences } from './use-preferences.ts'

const fetchGlobe = async () => (await import('./globe-panel/globe-panel.tsx')).GlobePanel
const fetchList = async () => (await import('./list/device-list.tsx')).DeviceList

const globeTitleId = 'sky-and-earth'
const listTitleId = 'devices'

export function ObservatoryPage() {
  usePageTitle('Observatory')
  const { store, source, attention } = useObservatory()
  const { preferences, isStored, isSettled, remember } = usePreferences()
  return (
    <>
      <ObservatoryHeader />
      <ObservatoryStatus store={store} source={source} />
      <Card aria-labelledby={globeTitleId}>
        <CardHeader id={globeTitleId} title="Sky and Earth">
          <CountryJump attention={attention} />
        </CardHeader>
        <OnDemandPanel
          what="The globe"
          fetchPanel={fetchGlobe}
          panelProps={{ store, attention, opening: preferences, onRest: remember }}
          isHeld={!isSettled}
          skeleton={<Skeleton className="h-[460px] w-full rounded-control" />}
        />
      </Card>
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_19rem]">
        <PanelBoundary>
          <MapPanel
            store={store}
            attention={attention}
            isOpenMapWanted={isStored ? preferences.isOpenMapShown : undefined}
            onOpenMapWanted={(isOpenMapShown) => remember({ isOpenMapShown })}
          />
        </PanelBoundary>
        <PanelBoundary>
          <LocationPanel attention={attention} />
        </PanelBoundary>
      </div>
      <Card id="device-list" aria-labelledby={listTitleId}>
        <CardHeader
          id={listTitleId}
          title="Devices"
          description="All that is in the pictures, to read, search and sort. Choosing one turns globe and map to it."
        />
        <OnDemandPanel
          what="The list"
          fetchPanel={fetchList}
          panelProps={{ store, source, attention, preferences, onQuery: remember }}
          isHeld={!isSettled}
          skeleton={<Skeleton className="h-[650px] w-full rounded-control sm:h-[598px]" />}
        />
      </Card>
    </>
  )
}

function ObservatoryHeader() {
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-5">
      <div className="flex max-w-2xl flex-col items-start gap-3">
        <Link
          to={paths.explore()}
          className="inline-flex items-center gap-2 text-sm text-muted transition-colors hover:text-ink"
        >
          <ArrowLeft aria-hidden className="size-4" />
          Back
        </Link>
        <h1 className="text-heading font-semibold">Observatory</h1>
        <p className="text-muted">
          Every public device of the network in its place, as it comes online and goes.
        </p>
      </div>
      <Link to={paths.connect()} className={buttonStyles({ variant: 'outline' })}>
        Connect your device
      </Link>
    </header>
  )
}
