import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect } from 'react'
import { isMotionWelcome } from '../../../lib/motion.ts'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { NodeStore } from '../nodes/node-store.ts'
import { NearPanel } from '../../../ui/on-demand-panel.tsx'
import type { Selection } from '../selection.ts'
import { keySettingName, mapSettings } from './map-settings.ts'
import type { CreateMap } from './map-view.ts'

const headingId = 'map'

const createBuiltInMap: CreateMap = async (options) =>
  (await import('./built-in-map.ts')).createBuiltInMap(options)
const createServiceMap: CreateMap = async (options) =>
  (await import('./service-map.ts')).createServiceMap(options)
const fetchSurface = async () => (await import('./map-surface.tsx')).MapSurface

/** The maps service's map if the build has a key for it, otherwise the built-in one. */
export function MapPanel({ store, selection }: { store: NodeStore; selection: Selection }) {
  const isServiceMeant = mapSettings.source === 'service'
  const isService = isServiceMeant && mapSettings.key !== undefined
  useEffect(
    () =>
      selection.onMapSight(() =>
        document
          .getElementById(headingId)
          ?.scrollIntoView({ behavior: isMotionWelcome() ? 'smooth' : 'instant' }),
      ),
    [selection],
  )
  return (
    <Card aria-labelledby={headingId}>
      <CardHeader id={headingId} title={t`Map`} />
      {isServiceMeant && !isService && (
        <p className="min-w-0 text-sm break-words text-muted">
          <Trans>{keySettingName} is not set. This is the built-in map.</Trans>
        </p>
      )}
      {/* Loads only when it is about to scroll into view, because it is large and below the globe. */}
      <NearPanel
        what={t`The map`}
        fetchPanel={fetchSurface}
        panelProps={{
          store,
          selection,
          ...(isService
            ? { createMap: createServiceMap }
            : { createMap: createBuiltInMap, credit: 'Natural Earth · MapLibre' }),
        }}
        skeleton={<Skeleton className="h-[520px] w-full rounded-control" />}
      />
    </Card>
  )
}
