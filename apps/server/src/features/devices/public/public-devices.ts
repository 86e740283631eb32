import type { PublicDevice, Status } from '@astropelago/contract/devices'
import type { Presence } from '../../presence/public.ts'
import { SharedKeys } from '../../../shared-keys.ts'
import type { DeviceRecord } from '../devices-store.ts'
import { presentPublicDevice } from '../present-device.ts'
import { RecordPages } from './record-pages.ts'

/** The end of a record. All have the same length, so that a new status overwrites the old one. */
const endings = {
  unknown: '"status":"unknown"}',
  online: '"status":"online" }',
  offline: '"status":"offline"}',
} as const satisfies Record<Status, string>
const endingLength = endings.unknown.length
const endingBytes: Readonly<Record<Status, Buffer>> = {
  unknown: Buffer.from(endings.unknown),
  online: Buffer.from(endings.online),
  offline: Buffer.from(endings.offline),
}

/**
 * What others can see of a change. `moved` means that the place differs, and perhaps more. After `unshared`,
 * other installations may see less.
 */
type Seen = 'nothing' | 'added' | 'moved' | 'changed' | 'unshared'

/** Public devices as JSON, which the list and the feed copy: about 140 bytes each. */
export class PublicDevices {
  readonly #records = new RecordPages()
  readonly shared = new SharedKeys()
  #publicSinceMs = new Float64Array(1024)
  readonly #presence: Pick<Presence, 'status'>

  private constructor(presence: Pick<Presence, 'status'>) {
    this.#presence = presence
  }

  static async load(
    pages: AsyncIterable<readonly DeviceRecord[]>,
    presence: Pick<Presence, 'status'>,
  ): Promise<PublicDevices> {
    const devices = new PublicDevices(presence)
    for await (const page of pages) {
      for (const device of page) devices.set(device)
    }
    return devices
  }

  get records(): Pick<RecordPages, 'size' | 'keyBound' | 'has' | 'bytesOf' | 'copy'> {
    return this.#records
  }

  /** A public device's current JSON. It may be overwritten later, so copy it at once. */
  json(deviceKey: number): Buffer | undefined {
    return this.#records.get(deviceKey)
  }

  read(deviceKey: number): (PublicDevice & { readonly publicSinceMs: number }) | undefined {
    const json = this.json(deviceKey)
    if (json === undefined) return undefined
    const device: PublicDevice = JSON.parse(json.toString())
    return { ...device, publicSinceMs: this.#publicSinceMs[deviceKey] ?? 0 }
  }

  /** Writes no record if the device looks the same. Ignores the status, which `setStatus` updates. */
  set(device: DeviceRecord): Seen {
    const { status, ...fixed } = presentPublicDevice(device, this.#presence)
    this.#setPublicSince(device)
    const { isChanged, isLess } = this.shared.set(device.key, device.isShared === 1)
    const start = `${JSON.stringify(fixed).slice(0, -1)},`
    const before = this.json(device.key)?.toString()
    if (before?.slice(0, -endingLength) === start) {
      return isLess ? 'unshared' : isChanged ? 'changed' : 'nothing'
    }
    this.#records.set(device.key, `${start}${endings[status]}`)
    if (before === undefined) return 'added'
    if (isLess) return 'unshared'
    const { lat, lon } = parsed(before)
    return lat === fixed.lat && lon === fixed.lon ? 'changed' : 'moved'
  }

  setStatus(deviceKey: number, status: Status): boolean {
    const ending = endingBytes[status]
    const shown = this.json(deviceKey)?.subarray(-ending.length)
    if (shown === undefined || ending.equals(shown)) return false
    shown.set(ending)
    return true
  }

  delete(deviceKey: number): string | undefined {
    const json = this.json(deviceKey)
    if (json === undefined) return undefined
    const { id } = parsed(json.toString())
    this.#records.delete(deviceKey)
    this.shared.set(deviceKey, false)
    return id
  }

  #setPublicSince({ key, publicSinceMs }: DeviceRecord): void {
    if (key >= this.#publicSinceMs.length) {
      const grown = new Float64Array(Math.max(key + 1, this.#publicSinceMs.length * 2))
      grown.set(this.#publicSinceMs)
      this.#publicSinceMs = grown
    }
    this.#publicSinceMs[key] = publicSinceMs ?? 0
  }
}

function parsed(json: string): Pick<PublicDevice, 'id' | 'lat' | 'lon'> {
  return JSON.parse(json)
}
