import { labelMaxLength } from '@astropelago/contract/limits'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ComponentProps, useEffect, useId, useRef, useState } from 'react'
import ChevronDown from 'virtual:icon/chevron-down'
import CircleCheck from 'virtual:icon/circle-check'
import LocateFixed from 'virtual:icon/locate-fixed'
import TriangleAlert from 'virtual:icon/triangle-alert'
import { formatCoordinate } from '../../../lib/format-coordinate.ts'
import { savedLocation, useSavedLocation } from '../../../lib/saved-location.ts'
import { readLat, readLon, readPlace, type TypedPlace } from '../../../lib/typed-place.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import type { Selection } from '../selection.ts'
import { type DeviceUpdate, useDeviceUpdate } from './device-update.ts'
import { defaultLabel, type SavedLocation } from '../../../lib/saved-location.ts'
import { useFindPlace } from '../../../lib/find-place.ts'

export function LocationPanel({ selection }: { selection: Selection }) {
  const saved = useSavedLocation()
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  return (
    <Card className="@container gap-0! p-0!">
      <h2 className="text-lg font-semibold">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setIsOpen(!isOpen)}
          className="flex w-full items-center gap-3 rounded-card px-5 py-4 text-start transition-colors hover:bg-hover"
        >
          <span className="flex min-w-0 grow flex-col gap-0.5">
            <Trans>My location</Trans>
            <span className="font-sans text-sm font-normal wrap-anywhere text-muted" data-numeric>
              {saved === undefined ? (
                t`Not saved yet`
              ) : (
                <>
                  <bdi>{saved.label}</bdi>
                  {` · ${formatCoordinate(saved.lat)}, ${formatCoordinate(saved.lon)}`}
                </>
              )}
            </span>
          </span>
          <ChevronDown
            aria-hidden
            className={classNames(
              'size-4 shrink-0 text-muted transition-transform',
              isOpen && 'rotate-180',
            )}
          />
        </button>
      </h2>
      {/* Hidden instead of unmounted, so that typed text is kept. */}
      <div id={id} hidden={!isOpen} className="border-t border-line p-5">
        <LocationForm selection={selection} />
      </div>
    </Card>
  )
}

const spanDeg = 40

function LocationForm({ selection }: { selection: Selection }) {
  const update = useDeviceUpdate()
  const form = useLocationForm((location) => {
    if (location === undefined) update.reset()
    else {
      selection.turnTo({ latDeg: location.lat, lonDeg: location.lon, spanDeg })
      update.send(location)
    }
  })
  const messageId = useId()
  const { draft } = form

  const field = (name: keyof LocationDraft, label: string, input: ComponentProps<typeof Input>) => (
    <Field label={label}>
      {(wiring) => (
        <Input
          autoComplete="off"
          {...wiring}
          {...input}
          name={name}
          value={draft[name]}
          onChange={(event) => form.change({ [name]: event.target.value })}
        />
      )}
    </Field>
  )
  const degrees = (name: 'lat' | 'lon', label: string, read: typeof readLat) =>
    field(name, label, {
      inputMode: 'decimal',
      'aria-describedby': messageId,
      'aria-invalid': (draft[name].trim() !== '' && read(draft[name]) === undefined) || undefined,
    })

  return (
    <form
      noValidate
      aria-label={t`My location`}
      className="flex min-w-0 flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        form.save()
      }}
    >
      {field('label', t`Label`, { maxLength: labelMaxLength })}
      <div className="grid items-start gap-x-3 gap-y-4 @2xs:grid-cols-2">
        {degrees('lat', t`Latitude`, readLat)}
        {degrees('lon', t`Longitude`, readLon)}
      </div>
      <Button
        variant="link"
        size="sm"
        busy={form.isLocating}
        className="-mt-1 self-start"
        onClick={() => void form.locate()}
      >
        {!form.isLocating && <LocateFixed aria-hidden />}
        {form.isLocating ? t`Locating…` : t`Use current location`}
      </Button>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" disabled={!form.canSave} aria-describedby={messageId}>
          <Trans>Save</Trans>
        </Button>
        <Button variant="outline" onClick={form.clear}>
          <Trans>Clear</Trans>
        </Button>
      </div>
      <LocationNotes messageId={messageId} form={form} update={update} />
    </form>
  )
}

interface LocationNotesProps {
  messageId: string
  form: ReturnType<typeof useLocationForm>
  update: DeviceUpdate
}

function LocationNotes({ messageId, form, update }: LocationNotesProps) {
  const { notice, canSave, isKept, isOvertaken, saved } = form
  const { state, host, reason } = update
  return (
    <div className="flex flex-col gap-2 text-sm">
      {/* Rendered before its text, so that screen readers announce the text when it appears. */}
      <output className="flex items-start gap-2 empty:sr-only">
        {notice?.tone === 'done' && (
          <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
        )}
        {notice?.tone === 'failed' && (
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
        )}
        {notice === undefined && !canSave && (
          <span id={messageId} className={form.hasCoordinates ? 'text-danger' : 'text-muted'}>
            <Trans>Enter valid lat/lon</Trans>
          </span>
        )}
        {notice !== undefined && <span className="min-w-0">{notice.text}</span>}
      </output>
      {!isKept && saved !== undefined && (
        <p className="text-muted">
          <Trans>Your browser refused to store it: it is gone when the page is loaded again.</Trans>
        </p>
      )}
      {isOvertaken && (
        <p className="flex flex-wrap items-center gap-x-3 text-muted">
          {saved === undefined
            ? t`Another tab has cleared the saved location.`
            : t`Another tab has saved another location.`}
          {saved !== undefined && (
            <Button variant="link" size="sm" onClick={form.takeOver}>
              <Trans>Show it here</Trans>
            </Button>
          )}
        </p>
      )}
      {/* Whether the configured service has received the place. */}
      <output className="flex flex-wrap items-center gap-x-3 text-muted empty:sr-only">
        {state === 'sending' && t`Sending to ${host}…`}
        {state === 'sent' && t`Sent to ${host}.`}
        {state === 'failed' && (
          <>
            <span>{t`Saved here, but ${host} did not receive it: ${reason}.`}</span>
            <Button variant="link" size="sm" onClick={update.retry}>
              <Trans>Retry</Trans>
            </Button>
          </>
        )}
      </output>
      <p className="text-xs text-muted">
        {host === ''
          ? t`Kept in this browser only; nothing is sent.`
          : t`Kept in this browser, and sent to ${host} with each save.`}
      </p>
    </div>
  )
}

function useLocationForm(onChange: (location: SavedLocation | undefined) => void) {
  const saved = useSavedLocation()
  /** The saved location that the fields were filled from. */
  const [basis, setBasis] = useState(saved)
  const [draft, setDraft] = useState(() => draftOf(saved))
  const [notice, setNotice] = useState<{ tone: 'done' | 'failed'; text: string }>()
  const [isKept, setIsKept] = useState(true)
  const { isLocating, find, giveUp } = useFindPlace()

  const isTouched = !isSameDraft(draft, draftOf(basis))
  // Another tab has saved or cleared the location. Untouched fields follow it.
  if (saved !== basis && !isTouched) {
    setBasis(saved)
    setDraft(draftOf(saved))
  }

  const fillFrom = (location: SavedLocation | undefined) => {
    setBasis(location)
    setDraft(draftOf(location))
  }
  const saveAs = (label: string, place: { lat: number; lon: number }, text: string) => {
    const result = savedLocation.save({ label, ...place })
    fillFrom(result.location)
    setIsKept(result.isKept)
    setNotice({ tone: 'done', text })
    onChange(result.location)
  }

  const latestLabel = useRef(draft.label)
  useEffect(() => {
    latestLabel.current = draft.label
  }, [draft.label])

  const place = readPlace(draft)
  return {
    draft,
    notice,
    isKept,
    isLocating,
    saved,
    canSave: place !== undefined,
    hasCoordinates: draft.lat.trim() !== '' || draft.lon.trim() !== '',
    /** Whether another tab has changed the saved location while something else is typed here. */
    isOvertaken: saved !== basis && isTouched,
    change: (changes: Partial<LocationDraft>) => {
      if ('lat' in changes || 'lon' in changes) giveUp()
      setDraft({ ...draft, ...changes })
      setNotice(undefined)
    },
    save: () => {
      if (place === undefined) return
      giveUp()
      saveAs(draft.label, place, t`Saved`)
    },
    locate: async () => {
      setNotice(undefined)
      const found = await find()
      if (found === undefined) return
      if (found.isFound) saveAs(latestLabel.current, found, t`Saved current location`)
      else setNotice({ tone: 'failed', text: found.reason })
    },
    clear: () => {
      giveUp()
      savedLocation.clear()
      fillFrom(undefined)
      setIsKept(true)
      setNotice({ tone: 'done', text: t`Cleared` })
      onChange(undefined)
    },
    takeOver: () => fillFrom(saved),
  }
}

interface LocationDraft extends TypedPlace {
  readonly label: string
}

export const emptyDraft: LocationDraft = { label: defaultLabel, lat: '', lon: '' }

export function draftOf(location: SavedLocation | undefined): LocationDraft {
  if (location === undefined) return emptyDraft
  const { label, lat, lon } = location
  return { label, lat: String(lat), lon: String(lon) }
}

function isSameDraft(one: LocationDraft, other: LocationDraft): boolean {
  return one.label === other.label && one.lat === other.lat && one.lon === other.lon
}
