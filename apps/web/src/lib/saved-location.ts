import { labelMaxLength, latMaxDeg, lonMaxDeg } from '@astropelago/contract/limits'
import { normalizeShortText } from '@astropelago/contract/text'
import { t } from '@lingui/core/macro'
import { useSyncExternalStore } from 'react'
import * as v from 'valibot'
import { createEmitter } from './emitter.ts'
import { storedValue } from './stored-value.ts'

/** In degrees, finite and in range. */
export interface SavedLocation {
  readonly id: string
  readonly label: string
  readonly lat: number
  readonly lon: number
}

export const defaultLabel = t`My Node`

interface LocationSave {
  readonly location: SavedLocation
  /** False if the browser's storage refused it: a reload then loses it. */
  readonly isKept: boolean
}

const keyPrefix = 'astropelago.location-'

interface Browser {
  readonly localStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  addEventListener(type: 'storage', listener: (event: Pick<StorageEvent, 'key'>) => void): void
  removeEventListener(type: 'storage', listener: (event: Pick<StorageEvent, 'key'>) => void): void
}

/** In the browser's storage, or in memory if that refuses. */
export function createSavedLocation(browser: () => Browser) {
  const storage = () => browser().localStorage
  const storedId = storedValue(`${keyPrefix}id.v1`, v.pipe(v.string(), v.uuid()), storage)
  const storedLabel = storedValue(
    `${keyPrefix}label.v1`,
    v.pipe(v.string(), v.transform(usableLabel)),
    storage,
  )
  const storedPlace = storedValue(
    `${keyPrefix}place.v1`,
    v.object({ lat: degrees(latMaxDeg), lon: degrees(lonMaxDeg) }),
    storage,
  )

  const changes = createEmitter()
  let current: SavedLocation | undefined
  /** The id made here, in case storage does not keep it. */
  let madeId: string | undefined
  /** While false, an empty storage does not override the location in memory. */
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
    // A null key means that the whole storage was cleared.
    if (key !== null && !key.startsWith(keyPrefix)) return
    isKept = true
    const before = current
    refresh()
    if (current !== before) show(current)
  }

  return {
    /** Returns the same object until something changes. */
    read: (): SavedLocation | undefined => {
      // Without listeners, this tab does not follow changes in other tabs.
      if (!changes.hasListeners) refresh()
      return current
    },

    /** Makes an id if there is none yet. A blank label becomes the default. */
    save: ({ label, lat, lon }: Omit<SavedLocation, 'id'>): LocationSave => {
      const { id, isStored } = deviceId()
      const location = { id, label: usableLabel(label), lat, lon }
      // Write the place last: other tabs react to it, and then have all three values.
      isKept = isStored && storedLabel.write(location.label) && storedPlace.write({ lat, lon })
      // The old place must not come back, neither with the new label nor instead of the new place.
      if (!isKept) storedPlace.clear()
      show(location)
      return { location, isKept }
    },

    /** Forgets the label and the place. The id remains, so a location saved again is the same device. */
    clear: (): void => {
      storedLabel.clear()
      isKept = storedPlace.clear()
      show(undefined)
    },

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

/** A label that the server accepts too, because the device forms reuse it. */
function usableLabel(text: string): string {
  const visible = normalizeShortText(text.toWellFormed().replace(/\p{Cc}/gu, ' ')) ?? ''
  return Array.from(visible).slice(0, labelMaxLength).join('').trim() || defaultLabel
}

function degrees(maxDeg: number) {
  return v.pipe(v.number(), v.finite(), v.minValue(-maxDeg), v.maxValue(maxDeg))
}

interface RandomSource {
  readonly randomUUID?: () => string
  readonly getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>
}

/** A version 4 UUID. Also works over plain http in a local network. */
export function randomUuid(source: RandomSource = crypto): string {
  // Browsers offer randomUUID only in secure contexts: https and localhost.
  if (source.randomUUID !== undefined) return source.randomUUID()
  const bytes = source.getRandomValues(new Uint8Array(16))
  // RFC 9562, sections 4.1 and 4.2: four bits hold the version, two the variant.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The location that the visitor saved in this browser. */
export const savedLocation = createSavedLocation(() => window)

/** Undefined if none is saved, and in prerendered HTML, which is the same for all visitors. */
export function useSavedLocation(): SavedLocation | undefined {
  return useSyncExternalStore(savedLocation.subscribe, savedLocation.read, () => undefined)
}
