import type { Place } from '@astropelago/contract/place'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { readCoordinates } from '../../../devices/read-coordinates.ts'
import { fullName, TownSearch } from '../../../devices/town-search.tsx'
import { useSavedLocation } from '../../../lib/saved-location.ts'
import { TextLink } from '../../../lib/text-link.tsx'
import { townsQuery } from '../../../lib/towns/towns-query.ts'
import { paths } from '../../../paths.ts'
import { browserZone, cityOfZone, townOfCity } from './town-of-zone.ts'

interface NewDeviceProps {
  isFirst: boolean
  error: string | undefined
  onPlace: (place: Place | undefined) => void
}

/** Asks for the new device's location only if there is no default. */
export function NewDevice({ isFirst, error, onPlace }: NewDeviceProps) {
  const found = useDefaultPlace()
  const [picked, setPicked] = useState<Place>()
  const [text, setText] = useState('')
  const place = picked ?? (found.state === 'found' ? found.place : undefined)
  const [lat, lon] = [place?.lat, place?.lon]
  useEffect(() => {
    onPlace(lat === undefined || lon === undefined ? undefined : { lat, lon })
  }, [lat, lon, onPlace])
  const pick = (next: Place, name: string) => {
    setPicked(next)
    setText(name)
  }
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <p className="text-sm text-muted">
        {isFirst ? t`You have no device yet, so a new one is made.` : t`A new device is made.`}{' '}
        {found.state !== 'found' ? (
          t`Only you see it. Say where it is, because every device has a place on your own map.`
        ) : found.town === undefined ? (
          <Trans>
            Only you see it. It is placed at the location that you saved in this browser. You can
            change both on the <TextLink to={paths.account()}>Account</TextLink> page.
          </Trans>
        ) : (
          <Trans>
            Only you see it. It is placed in <bdi>{found.town}</bdi>, the town of your time zone.
            You can change both on the <TextLink to={paths.account()}>Account</TextLink> page.
          </Trans>
        )}
      </p>
      {found.state === 'unknown' && (
        <div data-invalid={error === undefined ? undefined : ''}>
          <TownSearch
            text={text}
            onType={(typed) => {
              setPicked(undefined)
              setText(typed)
            }}
            onPaste={(event) => {
              const pasted = readCoordinates(event.clipboardData.getData('text'))
              if (pasted === undefined) return
              event.preventDefault()
              pick(pasted, `${pasted.lat}, ${pasted.lon}`)
            }}
            onPick={(suggestion) => pick(suggestion.place, fullName(suggestion))}
          />
        </div>
      )}
      {error !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {found.state === 'looking'
            ? t`Its place is still being looked up. Try again in a moment.`
            : error}
        </p>
      )}
    </div>
  )
}

type DefaultPlace =
  | { readonly state: 'looking' }
  /** Has the town's name, unless it is the location saved in this browser. */
  | { readonly state: 'found'; readonly place: Place; readonly town: string | undefined }
  | { readonly state: 'unknown' }

/** The location saved in this browser, else the town in the browser's time zone. */
function useDefaultPlace(): DefaultPlace {
  const saved = useSavedLocation()
  const city = cityOfZone(browserZone())
  const isLooking = saved === undefined && city !== undefined
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
