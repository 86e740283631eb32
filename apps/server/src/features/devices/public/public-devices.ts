import type { Status } from '@astropelago/contract/devices'
import type { DevicePresence } from '../device-presence.ts'
import type { DeviceRecord } from '../devices-store.ts'
import { presentPublicDevice } from '../present-device.ts'
import { RecordPages } from './record-pages.ts'

/** The end of a record by its status, of one length: a new status is written over the old one. */
const endings: Readonly<Record<Status, string>> = {
  unknown: '"status":"unknown"}',
  online: '"status":"online" }',
  offline: '"status":"offline"}',
}
const endingBytes: Readonly<Record<Status, Buffer>> = {
  unknown: Buffer.from(endings.unknown),
  online: Buffer.from(endings.online),
  offline: Buffer.from(endings.offline),
}

/**
 * What anyone may see of every public device, as the JSON that goes over the wire: list and feed copy
 * it and neither query nor stringify. About 140 bytes a device, so a million are 140 MB.
 */
export class PublicDevices {
  readonly #records = new RecordPages()
  readonly #presence: Pick<DevicePresence, 'status'>

  private constructor(presence: Pick<DevicePresence, 'status'>) {
    this.#presence = presence
  }

  static async load(
    pages: AsyncIterable<readonly DeviceRecord[]>,
    presence: Pick<DevicePresence, 'status'>,
  ): Promise<PublicDevices> {
    const devices = new PublicDevices(presence)
    for await (const page of pages) {
      for (const device of page) devices.set(device)
    }
    return devices
  }

  get count(): number {
    return this.#records.size
  }

  /** Above every public device's key. */
  get keyBound(): number {
    return this.#records.keyBound
  }

  has(deviceKey: number): boolean {
    return this.#records.has(deviceKey)
  }

  /** A public device's JSON as of now, to be copied at once; undefined for every other device. */
  json(deviceKey: number): Buffer | undefined {
    return this.#records.get(deviceKey)
  }

  /** The same without a view of it, for who copies many: its length, 0 for every other device. */
  jsonBytes(deviceKey: number): number {
    return this.#records.bytesOf(deviceKey)
  }

  copyJson(deviceKey: number, target: Buffer, at: number): void {
    this.#records.copy(deviceKey, target, at)
  }

  /** @returns whether it was not public before */
  set(device: DeviceRecord): boolean {
    const isNew = !this.has(device.key)
    const { status, ...fixed } = presentPublicDevice(device, this.#presence)
    const json = JSON.stringify(fixed)
    this.#records.set(device.key, `${json.slice(0, -1)},${endings[status]}`)
    return isNew
  }

  /** @returns whether that is a public device's new status */
  setStatus(deviceKey: number, status: Status): boolean {
    const ending = endingBytes[status]
    const shown = this.json(deviceKey)?.subarray(-ending.length)
    if (shown === undefined || ending.equals(shown)) return false
    shown.set(ending)
    return true
  }

  /** @returns the id by which the public knew it; undefined when it was not public */
  delete(deviceKey: number): string | undefined {
    const json = this.json(deviceKey)
    if (json === undefined) return undefined
    const id = idOf(json)
    this.#records.delete(deviceKey)
    return id
  }
}

function idOf(json: Buffer): string {
  const { id }: { id: string } = JSON.parse(json.toString())
  return id
}
