import { useEffect, useMemo, useState } from 'react'
import { useSavedLocation } from '../../../lib/saved-location.ts'
import { classNames } from '../../../ui/class-names.ts'
import type { NodeColumns } from '../nodes/node-columns.ts'
import { summaryOf } from '../nodes/node-name.ts'
import { type WorldPoint, worldPoint } from './mercator.ts'

/** Text on the map has a dark outline, to be readable on land, water and marks. */
export const mapTextLook =
  'text-xs whitespace-nowrap text-ink [text-shadow:0_0_3px_var(--color-ground),0_0_2px_var(--color-ground),0_1px_2px_var(--color-ground)]'

export interface MapPinProps {
  readonly point: WorldPoint
  readonly kind: 'you' | 'selected' | 'territory'
  readonly text: string
}

/** The visitor's own place, a ring around the selected node, or the name of a territory. */
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
        <span className={classNames(mapTextLook, 'tracking-wide text-muted! uppercase')}>
          {text}
        </span>
      )}
      {kind === 'you' && (
        <div className="flex flex-col items-center">
          <span className={mapTextLook}>{text}</span>
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
      pins.push({
        kind: 'you',
        text: `You: ${you.label}`,
        point: worldPoint({ latDeg: you.lat, lonDeg: you.lon }),
      })
    }
    return pins
  }, [columns, selectedId, you])
}

/** From these zooms on, the land shows names: first of countries, then of their states. */
const countryZoom = 3.5
const stateZoom = 4.5

const fetchTable = async () => await import('../countries/country-table.ts')

/** Names of countries or states, when zoomed in. Their table loads when it is first needed. */
export function useTerritoryNames(zoom: number): readonly MapPinProps[] {
  const [table, setTable] = useState<Awaited<ReturnType<typeof fetchTable>>>()
  const isClose = zoom >= countryZoom
  const isMissing = isClose && table === undefined

  useEffect(() => {
    if (!isMissing) return undefined
    let isWanted = true
    const load = async () => {
      const loaded = await fetchTable()
      if (isWanted) setTable(loaded)
    }
    // The map works without names. If the table does not load, the next zoom past the threshold tries
    // again.
    load().catch(() => undefined)
    return () => {
      isWanted = false
    }
  }, [isMissing])

  const isCloser = zoom >= stateZoom
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
