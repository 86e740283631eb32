import { coarsePlace, type Place } from '@astropelago/contract/place'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ClipboardEvent, type ReactNode, useId, useState } from 'react'
import LocateFixed from 'virtual:icon/locate-fixed'
import MapIcon from 'virtual:icon/map'
import MapPin from 'virtual:icon/map-pin'
import TriangleAlert from 'virtual:icon/triangle-alert'
import { useSavedLocation } from '../lib/saved-location.ts'
import { readPlace } from '../lib/typed-place.ts'
import { useFindPlace } from '../lib/find-place.ts'
import { Button } from '../ui/button.tsx'
import { RadioCard } from '../ui/radio-card.tsx'
import { type DeviceDraft, precisions } from './device-draft.ts'
import { usePlacePicker } from './place-picker-source.ts'
import { readCoordinates } from './read-coordinates.ts'
import { fullName, TownSearch } from './town-search.tsx'

interface PlaceFieldsetProps {
  draft: DeviceDraft
  onChange: (changes: Partial<DeviceDraft>) => void
  children: ReactNode
}

interface Search {
  readonly text: string
  readonly found?: { readonly lat: string; readonly lon: string }
}

export function PlaceFieldset({ draft, onChange, children }: PlaceFieldsetProps) {
  const [search, setSearch] = useState<Search>({ text: '' })
  const [notice, setNotice] = useState<{
    readonly tone: 'done' | 'failed'
    readonly text: string
  }>()
  const { isLocating, find, giveUp } = useFindPlace()
  const picker = usePlacePicker()
  const [isMapOpen, setIsMapOpen] = useState(false)
  const mapId = useId()
  const PlacePicker = isMapOpen ? picker.Component : undefined

  // Coordinates that have changed since no longer belong to the place that was found.
  const { found } = search
  const isOutdated = found !== undefined && (found.lat !== draft.lat || found.lon !== draft.lon)

  const fill = ({ lat, lon }: Place, text: string, name = '') => {
    giveUp()
    const numbers = { lat: String(lat), lon: String(lon) }
    setSearch({ text: name, found: numbers })
    setNotice({ tone: 'done', text })
    onChange(numbers)
  }
  const locate = async () => {
    setNotice(undefined)
    const place = await find()
    if (place === undefined) return
    if (place.isFound) {
      fill(place, t`Latitude and longitude are filled in with your location.`)
    } else setNotice({ tone: 'failed', text: place.reason })
  }
  const paste = (event: ClipboardEvent) => {
    const place = readCoordinates(event.clipboardData.getData('text'))
    if (place === undefined) return
    event.preventDefault()
    fill(place, t`Latitude and longitude are filled in with what was pasted.`)
  }
  const toggleMap = async () => {
    setNotice(undefined)
    if (isMapOpen) setIsMapOpen(false)
    else if (await picker.load()) setIsMapOpen(true)
    else setNotice({ tone: 'failed', text: t`The map could not be loaded. Try again in a moment.` })
  }

  return (
    <fieldset className="flex min-w-0 flex-col gap-4">
      <legend className="mb-3 font-semibold text-ink">
        <Trans>Place</Trans>
      </legend>
      <TownSearch
        text={isOutdated ? '' : search.text}
        onType={(text) => setSearch({ text })}
        onPaste={paste}
        onPick={(town) =>
          fill(
            town.place,
            t`Latitude and longitude are filled in with ${town.name}.`,
            fullName(town),
          )
        }
      />
      <div className="flex flex-wrap gap-2">
        <Button
          variant="outline"
          size="sm"
          busy={isLocating}
          busyLabel={t`Locating…`}
          onClick={() => void locate()}
        >
          <LocateFixed aria-hidden />
          <Trans>Use my location</Trans>
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
            {isMapOpen ? t`Close the map` : t`Pick on a map`}
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
      <PrecisionField draft={draft} onChange={onChange} />
    </fieldset>
  )
}

function PrecisionField({ draft, onChange }: Omit<PlaceFieldsetProps, 'children'>) {
  const id = useId()
  return (
    <fieldset className="flex min-w-0 flex-col gap-2" aria-describedby={`${id}-shown`}>
      <legend className="mb-2 text-sm font-medium text-ink">
        <Trans>How exactly others see it</Trans>
      </legend>
      <div className="grid gap-2 sm:grid-cols-3">
        {precisions.map(({ value, name }) => (
          <RadioCard
            key={value}
            name={id}
            value={value}
            checked={draft.precision === value}
            onChange={() => onChange({ precision: value })}
            align="center"
            className="min-h-10 text-sm text-ink"
          >
            {name}
          </RadioCard>
        ))}
      </div>
      <p id={`${id}-shown`} className="text-xs text-muted" data-numeric>
        {shownToOthers(draft)}
      </p>
    </fieldset>
  )
}

const preset = t`About 10 km unless you choose something else, so that nobody can find your home.`

function shownToOthers(draft: DeviceDraft): string {
  const { precision, visibility } = draft
  const place = readPlace(draft)
  if (visibility === 'private') return t`While it is private, nobody else sees it.`
  if (place === undefined) return preset
  const { lat, lon } = coarsePlace(place, precision)
  const shown = t`Others see ${lat}, ${lon}.`
  return precision === 'km10' ? `${shown} ${preset}` : shown
}

/** Fills in the location saved on the Observatory. It sets the label too if none is typed yet. */
function SavedLocationButton({ draft, onChange }: Omit<PlaceFieldsetProps, 'children'>) {
  const saved = useSavedLocation()
  if (saved === undefined) return null
  const { label, lat, lon } = saved
  const takeOver = () =>
    onChange({ lat: String(lat), lon: String(lon), ...(draft.label.trim() === '' && { label }) })
  return (
    <Button variant="outline" size="sm" onClick={takeOver}>
      <MapPin aria-hidden />
      <Trans>Use my saved location</Trans>
    </Button>
  )
}
