import type { Status } from '@astropelago/contract/devices'
import type { DevicePresence } from '../device-presence.ts'
import type { DeviceRecord } from '../devices-store.ts'
import { presentPublicDevice } from '../present-device.ts'
import { RecordPages } from './record-pages.ts'

/** What happened to a device as the public sees it; whoever was not told of it before has to know. */
export type PublicChange =
  | { readonly kind: 'added' | 'changed' }
  | { readonly kind: 'removed'; readonly id: string }

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

const added: PublicChange = { kind: 'added' }
const changed: PublicChange = { kind: 'changed' }

interface PublicDevicesOptions {
  readonly presence: Pick<DevicePresence, 'status'>
  /** Told of every change that the public could see, and of nothing that a private device does. */
  readonly onChange: (deviceKey: number, change: PublicChange) => void
}

/**
 * What anyone may see of every public device, as the JSON that goes over the wire: list and feed copy
 * it and neither query nor stringify. About 140 bytes a device, so a million are 140 MB.
 */
export class PublicDevices {
  readonly #records = new RecordPages()
  readonly #presence: Pick<DevicePresence, 'status'>
  readonly #onChange: PublicDevicesOptions['onChange']

  private constructor({ presence, onChange }: PublicDevicesOptions) {
    this.#presence = presence
    this.#onChange = onChange
  }

  static async load(
    pages: AsyncIterable<readonly DeviceRecord[]>,
    options: PublicDevicesOptions,
  ): Promise<PublicDevices> {
    const devices = new PublicDevices(options)
    for await (const page of pages) {
      for (const device of page) devices.#write(device)
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

  /** To be called after a new or changed device is durable. */
  noteDevice(device: DeviceRecord): void {
    if (device.visibility === 'private') return this.noteDeleted(device.key)
    const isNew = !this.has(device.key)
    this.#write(device)
    this.#onChange(device.key, isNew ? added : changed)
  }

  noteDeleted(deviceKey: number): void {
    const json = this.json(deviceKey)
    if (json === undefined) return
    const id = idOf(json)
    this.#records.delete(deviceKey)
    this.#onChange(deviceKey, { kind: 'removed', id })
  }

  noteStatusChanges(deviceKeys: readonly number[]): void {
    for (const deviceKey of deviceKeys) {
      const ending = endingBytes[this.#presence.status(deviceKey)]
      const shown = this.json(deviceKey)?.subarray(-ending.length)
      if (shown === undefined || ending.equals(shown)) continue
      shown.set(ending)
      this.#onChange(deviceKey, changed)
    }
  }

  #write(device: DeviceRecord): void {
    const { status, ...fixed } = presentPublicDevice(device, this.#presence)
    const json = JSON.stringify(fixed)
    this.#records.set(device.key, `${json.slice(0, -1)},${endings[status]}`)
  }
}

function idOf(json: Buffer): string {
  const { id }: { id: string } = JSON.parse(json.toString())
  return id
}
