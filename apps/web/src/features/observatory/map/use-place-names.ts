import { useEffect, useMemo, useState } from 'react'
import type { Country } from '../countries/country-table.ts'
import type { MapPinProps } from './map-pin.tsx'
import { worldPoint } from './mercator.ts'

/** From here on the land bears names: first of countries, closer of their states. */
const countryZoom = 3.5
const stateZoom = 4.5

/** The names of countries and states at close zoom. Their table comes when it is first needed. */
export function usePlaceNames(zoom: number): readonly MapPinProps[] {
  const [countries, setCountries] = useState<readonly Country[]>([])
  const isClose = zoom >= countryZoom
  const isMissing = isClose && countries.length === 0

  useEffect(() => {
    if (!isMissing) return undefined
    let isWanted = true
    const load = async () => {
      const table = await import('../countries/country-table.ts')
      if (isWanted) setCountries(table.countries)
    }
    // The map is whole without names: where they don't come, the next close look asks again.
    load().catch(() => undefined)
    return () => {
      isWanted = false
    }
  }, [isMissing])

  const isCloser = zoom >= stateZoom
  return useMemo(() => {
    if (!isClose) return []
    return isCloser ? stateNames(countries) : countryNames(countries)
  }, [countries, isClose, isCloser])
}

function countryNames(countries: readonly Country[]): MapPinProps[] {
  return countries.map(({ name, box }) => ({
    kind: 'place',
    text: name,
    point: worldPoint((box.latMinDeg + box.latMaxDeg) / 2, (box.lonMinDeg + box.lonMaxDeg) / 2),
  }))
}

function stateNames(countries: readonly Country[]): MapPinProps[] {
  return countries.flatMap(({ states }) =>
    states.map(({ name, latDeg, lonDeg }) => ({
      kind: 'place' as const,
      text: name,
      point: worldPoint(latDeg, lonDeg),
    })),
  )
}
