import { LinkButton } from '../../lib/link-button.tsx'
import type { OwnDevice } from '@astropelago/contract/devices'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect } from 'react'
import { Link } from 'react-router'
import ArrowLeft from 'virtual:icon/arrow-left'
import { pageFeed } from '../../lib/live-feed/page-feed.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { paths } from '../../paths.ts'
import { Card, CardHeader } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CountryJump } from './countries/country-jump.tsx'
import { carriedIslands } from './islands/carried-islands.ts'
import { useNeighbourMarks } from './islands/use-neighbour-marks.ts'
import { LocationPanel } from './location/location-panel.tsx'
import { MapPanel } from './map/map-panel.tsx'
import { useNeighbourNodes } from './nodes/use-neighbour-nodes.ts'
import { useNetwork } from './nodes/use-network.ts'
import { OnDemandPanel, PanelBoundary } from '../../ui/on-demand-panel.tsx'
import { QueryBar } from './query/query-bar.tsx'
import { useShownNodes } from './query/shown-nodes.ts'
import { useDeviceOfAddress } from './select-from-address.ts'
import { ObservatoryStatus } from './status/observatory-status.tsx'
import { usePreferences } from './use-preferences.ts'

const fetchGlobe = async () => (await import('./globe-panel/globe-panel.tsx')).GlobePanel
const fetchList = async () => (await import('./list/device-list.tsx')).DeviceList

const globeTitleId = 'sky-and-earth'
const listTitleId = 'devices'

export function ObservatoryPage({ ownDevices }: { ownDevices?: readonly OwnDevice[] | undefined }) {
  usePageTitle(t`Observatory`)
  const { store, source, selection } = useNetwork()
  useEffect(() => {
    if (ownDevices === undefined) return
    // A hidden device is not in the public list, like a private one.
    source.setPrivate(
      ownDevices.filter(({ visibility, hidden }) => visibility === 'private' || hidden !== null),
    )
  }, [source, ownDevices])
  useEffect(() => {
    const show = () => source.setCarriers(carriedIslands.deviceIds())
    const endings = [carriedIslands.subscribe(show), carriedIslands.follow({ feed: pageFeed })]
    return () => {
      for (const end of endings) end()
    }
  }, [source])
  const neighbours = useNeighbourNodes(source)
  useNeighbourMarks(neighbours)
  useDeviceOfAddress(store, selection)
  const { preferences, remember } = usePreferences()
  const { shown, query, isLeftOver, change } = useShownNodes(
    store,
    source,
    preferences,
    remember,
    neighbours,
  )
  return (
    <div data-full-width className="-mt-4 flex flex-col gap-4 sm:-mt-8 sm:gap-5">
      <ObservatoryHeader />
      <ObservatoryStatus store={store} source={source} />
      <QueryBar {...{ shown, query, isLeftOver }} onChange={change} />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_21.5rem] 2xl:grid-cols-[minmax(0,1fr)_minmax(25rem,34%)]">
        <div className="flex min-w-0 flex-col gap-6">
          <Card aria-labelledby={globeTitleId}>
            <CardHeader id={globeTitleId} title={t`Sky and Earth`}>
              <CountryJump store={store} selection={selection} />
            </CardHeader>
            <OnDemandPanel
              what={t`The globe`}
              fetchPanel={fetchGlobe}
              panelProps={{ store: shown, selection, opening: preferences, onRest: remember }}
              skeleton={<Skeleton className="h-[462px] w-full rounded-control" />}
            />
          </Card>
          <PanelBoundary>
            <MapPanel store={shown} selection={selection} />
          </PanelBoundary>
          <PanelBoundary>
            <LocationPanel selection={selection} />
          </PanelBoundary>
        </div>
        <Card
          id="device-list"
          aria-labelledby={listTitleId}
          className="xl:sticky xl:top-22 xl:h-[calc(100dvh-7rem)] xl:min-h-96"
        >
          <CardHeader
            id={listTitleId}
            title={t`Devices`}
            description={t`When you choose one, the globe and the map turn to it.`}
          />
          <div className="h-[32rem] xl:h-auto xl:min-h-0 xl:flex-1">
            <OnDemandPanel
              what={t`The list`}
              fetchPanel={fetchList}
              panelProps={{ source, shown, selection, query, onQuery: change }}
              skeleton={<Skeleton className="size-full rounded-control" />}
            />
          </div>
        </Card>
      </div>
    </div>
  )
}

function ObservatoryHeader() {
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-5">
      <div className="flex max-w-2xl flex-col items-start gap-1 sm:gap-3">
        <Link
          to={paths.explore()}
          className="inline-flex items-center gap-2 text-sm text-muted transition-colors hover:text-ink"
        >
          <ArrowLeft aria-hidden className="size-4" />
          <Trans>Back</Trans>
        </Link>
        <h1 className="text-heading font-semibold">
          <Trans>Observatory</Trans>
        </h1>
        <p className="text-muted max-sm:sr-only">
          <Trans>Every public device in its place, as it comes online and goes offline.</Trans>
        </p>
      </div>
      <LinkButton to={paths.connect()} variant="outline" className="max-sm:hidden">
        <Trans>Connect your device</Trans>
      </LinkButton>
    </header>
  )
}
