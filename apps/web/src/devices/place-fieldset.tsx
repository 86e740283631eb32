import type { Place } from '@astropelago/contract/place'
import { type ClipboardEvent, type ReactNode, useId, useState } from 'react'
import LocateFixed from 'virtual:icon/locate-fixed'
import MapIcon from 'virtual:icon/map'
import TriangleAlert from 'virtual:icon/triangle-alert'
import { readPlace } from '../lib/typed-place.ts'
import { useFindPlace } from '../lib/find-place.ts'
import { Button } from '../ui/button.tsx'
import type { DeviceDraft } from './device-draft.ts'
import { usePlacePicker } from './place-picker-source.ts'
import { PrecisionField } from './precision-field.tsx'
import { readCoordinates } from './read-coordinates.ts'
import { SavedLocationButton } from './saved-location-button.tsx'
import { TownSearch } from './town-search.tsx'
import { fullName } from './use-suggestions.ts'

interface PlaceFieldsetProps {
  draft: DeviceDraft
  onChange: (changes: Partial<DeviceDraft>) => void
  /** The fields for latitude and longitude. */
  children: ReactNode
}

interface Notice {
  readonly tone: 'done' | 'failed'
  readonly text: string
}

/** The text in the search field, and the coordinates of the place it names, if any. */
interface Search {
  readonly text: string
  readonly found?: { readonly lat: string; readonly lon: string }
}

/** A device's place: from a town, the browser's location, a point on a map, or coordinates. */
export function PlaceFieldset({ draft, onChange, children }: PlaceFieldsetProps) {
  const [search, setSearch] = useState<Search>({ text: '' })
  const [notice, setNotice] = useState<Notice>()
  const { isLocating, find, giveUp } = useFindPlace()
  const picker = usePlacePicker()
  const [isMapOpen, setIsMapOpen] = useState(false)
  const mapId = useId()
  const PlacePicker = isMapOpen ? picker.Component : undefined

  // Coordinates that have changed since no longer belong to the place that was found.
  const { found } = search
  const isOutdated = found !== undefined && (found.lat !== draft.lat || found.lon !== draft.lon)

  const fill = ({ lat, lon }: Place, by: string, name = '') => {
    giveUp()
    const numbers = { lat: String(lat), lon: String(lon) }
    setSearch({ text: name, found: numbers })
    setNotice({ tone: 'done', text: `Latitude and longitude are filled in with ${by}.` })
    onChange(numbers)
  }
  const locate = async () => {
    setNotice(undefined)
    const place = await find()
    if (place === undefined) return
    if (place.isFound) fill(place, 'your location')
    else setNotice({ tone: 'failed', text: place.reason })
  }
  const paste = (event: ClipboardEvent) => {
    const place = readCoordinates(event.clipboardData.getData('text'))
    if (place === undefined) return
    event.preventDefault()
    fill(place, 'what was pasted')
  }
  const toggleMap = async () => {
    setNotice(undefined)
    if (isMapOpen) setIsMapOpen(false)
    else if (await picker.load()) setIsMapOpen(true)
    else setNotice({ tone: 'failed', text: 'The map could not be loaded. Try again in a moment.' })
  }

  return (
    <fieldset className="flex min-w-0 flex-col gap-4">
      <legend className="mb-3 font-semibold text-ink">Place</legend>
      <TownSearch
        text={isOutdated ? '' : search.text}
        onType={(text) => setSearch({ text })}
        onPaste={paste}
        onPick={(picked) => fill(picked.place, picked.name, fullName(picked))}
      />
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" size="sm" busy={isLocating} onClick={() => void locate()}>
          {!isLocating && <LocateFixed aria-hidden />}
          {isLocating ? 'Locating…' : 'Use my location'}
        </Button>
        {picker.isOffered && (
          <Button
            variant="outline"
            size="sm"
            busy={picker.isLoading}
            aria-expanded={isMapOpen}
            aria-controls={isMapOpen ? mapId : undefined}
            onClick={() => void toggleMap()}
          >
            {!picker.isLoading && <MapIcon aria-hidden />}
            {isMapOpen ? 'Close the map' : 'Pick on a map'}
          </Button>
        )}
        <SavedLocationButton draft={draft} onChange={onChange} />
      </div>
      {/* Rendered before its text, so that screen readers announce the text when it appears. */}
      <output className={notice?.tone === 'failed' ? 'flex items-start gap-2 text-sm' : 'sr-only'}>
        {notice?.tone === 'failed' && (
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
        )}
        <span className="min-w-0">{notice?.text}</span>
      </output>
      {PlacePicker && (
        <div id={mapId}>
          <PlacePicker
            place={readPlace(draft)}
            onPick={({ lat, lon }) => {
              giveUp()
              onChange({ lat: String(lat), lon: String(lon) })
            }}
          />
        </div>
      )}
      <div className="grid items-start gap-4 sm:grid-cols-2" onPaste={paste} onInput={giveUp}>
        {children}
      </div>
      <PrecisionField draft={draft} onChange={(precision) => onChange({ precision })} />
    </fieldset>
  )
}
