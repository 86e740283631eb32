import { t } from '@lingui/core/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSavedLocation } from '../../../lib/saved-location.ts'
import { classNames } from '../../../ui/class-names.ts'
import type { NodeColumns } from '../nodes/node-columns.ts'
import { summaryOf } from '../nodes/node-name.ts'
import { type WorldPoint, worldPoint } from './map-camera.ts'

/** Text on the map has a dark outline, to be readable on land, water and marks. */
export const mapTextStyles =
  'text-xs whitespace-nowrap text-ink [text-shadow:0_0_3px_var(--color-ground),0_0_2px_var(--color-ground),0_1px_2px_var(--color-ground)]'

export interface MapPinProps {
  readonly point: WorldPoint
  readonly kind: 'you' | 'selected' | 'territory'
  readonly text: string
}

export function MapPin({ kind, text }: MapPinProps) {
  return (
    <div
      data-placed
      data-pin={kind}
      className="absolute -translate-x-1/2 -translate-y-1/2"
      aria-hidden={kind === 'selected' || undefined}
    >
      {kind === 'selected' && <div className="size-7 rounded-full border-2 border-accent" />}
      {kind === 'territory' && (
        <span className={classNames(mapTextStyles, 'tracking-wide text-muted! uppercase')}>
          {text}
        </span>
      )}
      {kind === 'you' && (
        <div className="flex flex-col items-center">
          <span className={mapTextStyles}>{text}</span>
          <svg aria-hidden viewBox="0 0 12 12" className="size-3.5 text-ink" fill="none">
            <path
              d="M6 .8 7.3 4.7 11.2 6 7.3 7.3 6 11.2 4.7 7.3.8 6l3.9-1.3Z"
              fill="currentColor"
            />
          </svg>
          {/* As tall as the text above, so that the star is centred on the place. */}
          <span aria-hidden className="h-[1.125rem]" />
        </div>
      )}
    </div>
  )
}

export function usePins(columns: NodeColumns, selectedId: string | undefined): MapPinProps[] {
  const you = useSavedLocation()
  return useMemo(() => {
    const pins: MapPinProps[] = []
    const selected = summaryOf(columns, selectedId)
    if (selected !== undefined) {
      pins.push({ kind: 'selected', text: '', point: worldPoint(selected) })
    }
    if (you !== undefined) {
      const point = worldPoint({ latDeg: you.lat, lonDeg: you.lon })
      pins.push({ kind: 'you', text: t`You: ${you.label}`, point })
    }
    return pins
  }, [columns, selectedId, you])
}

/** From these zooms on, the land shows names: first of countries, then of their states. */
const countryZoom = 3.5
const stateZoom = 4.5

const territoriesQuery = queryOptions({
  queryKey: ['territories'],
  queryFn: () => import('../countries/country-table.ts'),
  staleTime: Infinity,
  structuralSharing: false,
  retry: false,
})

/** Names of countries or states, when zoomed in. The map works without them. */
export function useTerritoryNames(zoom: number): readonly MapPinProps[] {
  const isClose = zoom >= countryZoom
  const isCloser = zoom >= stateZoom
  const table = useQuery({ ...territoriesQuery, enabled: isClose }).data
  return useMemo(() => {
    if (!isClose || table === undefined) return []
    const names = isCloser ? table.stateNames : table.countryNames
    return names.map(({ name, ...place }) => ({
      kind: 'territory',
      text: name,
      point: worldPoint(place),
    }))
  }, [table, isClose, isCloser])
}
