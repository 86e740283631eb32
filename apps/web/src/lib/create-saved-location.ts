import { labelMaxLength, latMaxDeg, lonMaxDeg } from '@astropelago/contract/limits'
import { normalizeShortText } from '@astropelago/contract/text'
import * as v from 'valibot'
import { createEmitter } from './emitter.ts'
import { randomUuid } from './random-uuid.ts'
import { storedValue } from './stored-value.ts'

/** Where the visitor's own device stands. Degrees, finite and in range. */
export interface SavedLocation {
  /** A random UUID, made once for this browser. */
  readonly id: string
  readonly label: string
  readonly lat: number
  readonly lon: number
}

export const defaultLabel = 'My Node'

interface LocationSave {
  readonly location: SavedLocation
  /** False where storage refused: it is gone when the page is loaded again. */
  readonly isKept: boolean
}

const keyPrefix = 'astropelago.location-'

interface Browser {
  readonly localStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  addEventListener(type: 'storage', listener: (event: Pick<StorageEvent, 'key'>) => void): void
  removeEventListener(type: 'storage', listener: (event: Pick<StorageEvent, 'key'>) => void): void
}

/** Keeps one location in the browser's storage; where that refuses, in memory. */
export function createSavedLocation(browser: () => Browser) {
  const keep = () => browser().localStorage
  const storedId = storedValue(`${keyPrefix}id.v1`, v.pipe(v.string(), v.uuid()), keep)
  const storedLabel = storedValue(
    `${keyPrefix}label.v1`,
    v.pipe(v.string(), v.transform(usableLabel)),
    keep,
  )
  const storedPlace = storedValue(
    `${keyPrefix}place.v1`,
    v.object({ lat: degrees(latMaxDeg), lon: degrees(lonMaxDeg) }),
    keep,
  )

  const changes = createEmitter()
  let current: SavedLocation | undefined
  /** The id that was made here, in case storage does not keep it. */
  let madeId: string | undefined
  /** What is held in memory alone is not overruled by a storage without it. */
  let isKept = true

  const deviceId = (): { id: string; isStored: boolean } => {
    const stored = storedId.read()
    if (stored !== undefined) return { id: stored, isStored: true }
    madeId ??= randomUuid()
    return { id: madeId, isStored: storedId.write(madeId) }
  }
  const refresh = () => {
    if (!isKept) return
    const place = storedPlace.read()
    const stored = place && {
      id: deviceId().id,
      label: storedLabel.read() ?? defaultLabel,
      ...place,
    }
    if (!isSame(stored, current)) current = stored
  }
  const show = (location: SavedLocation | undefined) => {
    current = location
    changes.emit()
  }
  const followOtherTab = ({ key }: Pick<StorageEvent, 'key'>) => {
    // A null key: everything was cleared at once.
    if (key !== null && !key.startsWith(keyPrefix)) return
    isKept = true
    const before = current
    refresh()
    if (current !== before) show(current)
  }

  return {
    /** The same object as long as nothing changes. */
    read: (): SavedLocation | undefined => {
      // Without a listener nobody hears of another tab's change.
      if (!changes.hasListeners) refresh()
      return current
    },

    /** Makes the id when there is none yet; a blank label becomes the default one. */
    save: ({ label, lat, lon }: Omit<SavedLocation, 'id'>): LocationSave => {
      const { id, isStored } = deviceId()
      const location = { id, label: usableLabel(label), lat, lon }
      // The place last: with it the other tabs have all three.
      isKept = isStored && storedLabel.write(location.label) && storedPlace.write({ lat, lon })
      // The older place must not come back with a new label, nor instead of the new place.
      if (!isKept) storedPlace.clear()
      show(location)
      return { location, isKept }
    },

    /** Forgets label and place. The id stays: saved again, it is the same device. */
    clear: (): void => {
      storedLabel.clear()
      isKept = storedPlace.clear()
      show(undefined)
    },

    /** Told of changes, another tab's too. */
    subscribe: (listener: () => void): (() => void) => {
      if (!changes.hasListeners) {
        refresh()
        browser().addEventListener('storage', followOtherTab)
      }
      const off = changes.on(listener)
      return () => {
        off()
        if (!changes.hasListeners) browser().removeEventListener('storage', followOtherTab)
      }
    },
  }
}

function isSame(a: SavedLocation | undefined, b: SavedLocation | undefined): boolean {
  return a?.id === b?.id && a?.label === b?.label && a?.lat === b?.lat && a?.lon === b?.lon
}

/** A label that the server would take as well, since the device forms take it over. */
function usableLabel(text: string): string {
  const visible = normalizeShortText(text.toWellFormed().replace(/\p{Cc}/gu, ' ')) ?? ''
  return Array.from(visible).slice(0, labelMaxLength).join('').trim() || defaultLabel
}

function degrees(maxDeg: number) {
  return v.pipe(v.number(), v.finite(), v.minValue(-maxDeg), v.maxValue(maxDeg))
}
