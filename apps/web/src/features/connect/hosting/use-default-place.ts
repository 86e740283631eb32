import type { Place } from '@astropelago/contract/place'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSavedLocation } from '../../../lib/saved-location.ts'
import { townsQuery } from '../../../lib/towns/towns-query.ts'
import { browserZone, cityOfZone, townOfCity } from './town-of-zone.ts'

export type DefaultPlace =
  | { readonly state: 'looking' }
  /** Has the town's name, unless it is the location saved in this browser. */
  | { readonly state: 'found'; readonly place: Place; readonly town: string | undefined }
  | { readonly state: 'unknown' }

/** The location saved in this browser, else the town in the browser's time zone. */
export function useDefaultPlace(isWanted: boolean): DefaultPlace {
  const saved = useSavedLocation()
  const city = cityOfZone(browserZone())
  const isLooking = isWanted && saved === undefined && city !== undefined
  const { data: towns, isError } = useQuery({ ...townsQuery, enabled: isLooking })
  const town = useMemo(
    () => (towns === undefined || city === undefined ? undefined : townOfCity(towns, city)),
    [towns, city],
  )
  if (saved !== undefined) {
    return { state: 'found', place: { lat: saved.lat, lon: saved.lon }, town: undefined }
  }
  if (town !== undefined) {
    return { state: 'found', place: { lat: town.lat, lon: town.lon }, town: town.name }
  }
  return { state: isLooking && towns === undefined && !isError ? 'looking' : 'unknown' }
}
