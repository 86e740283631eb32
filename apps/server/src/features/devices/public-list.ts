import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { publicDevicesListed } from '@astropelago/contract/limits'
import type { DevicePresence } from './device-presence.ts'
import type { DeviceRecord, DevicesStore } from './devices-store.ts'
import { presentPublicDevice } from './present-device.ts'

const compress = promisify(gzip)

export interface PreparedList {
  readonly etag: string
  readonly total: number
  readonly json: Buffer
  readonly gzip: Buffer
}

/**
 * The list of public devices as it goes over the wire, prepared once for each change and for all who
 * ask. Its sequence, `<epoch>-<n>`, grows with every change of a public device and with nothing else:
 * what private devices do can't be told from it. The epoch tells one start of the server from another.
 */
export class PublicList {
  readonly #store: Pick<DevicesStore, 'listPublic'>
  readonly #presence: DevicePresence
  readonly #publicKeys: Set<number>
  readonly #epoch = randomBytes(6).toString('base64url')
  #changes = 0
  #prepared: { readonly etag: string; readonly list: Promise<PreparedList> } | undefined

  private constructor(
    store: Pick<DevicesStore, 'listPublic'>,
    presence: DevicePresence,
    publicKeys: readonly number[],
  ) {
    this.#store = store
    this.#presence = presence
    this.#publicKeys = new Set(publicKeys)
  }

  static async load(
    store: Pick<DevicesStore, 'listPublic' | 'listPublicKeys'>,
    presence: DevicePresence,
  ): Promise<PublicList> {
    return new PublicList(store, presence, await store.listPublicKeys())
  }

  /** To be called after a new or changed device is durable. */
  noteDevice({ key, visibility }: Pick<DeviceRecord, 'key' | 'visibility'>): void {
    const wasPublic = this.#publicKeys.has(key)
    const isPublic = visibility === 'public'
    if (isPublic) this.#publicKeys.add(key)
    else this.#publicKeys.delete(key)
    if (wasPublic || isPublic) this.#changes += 1
  }

  noteDeleted(deviceKey: number): void {
    if (this.#publicKeys.delete(deviceKey)) this.#changes += 1
  }

  noteStatusChanges(deviceKeys: readonly number[]): void {
    if (deviceKeys.some((key) => this.#publicKeys.has(key))) this.#changes += 1
  }

  etag(): string {
    return `"${this.#epoch}-${this.#changes}"`
  }

  async prepared(): Promise<PreparedList> {
    const etag = this.etag()
    if (this.#prepared?.etag !== etag) this.#prepared = { etag, list: this.#prepare(etag) }
    try {
      return await this.#prepared.list
    } catch (error) {
      // A failure is for those who waited for it; the next caller tries again.
      this.#prepared = undefined
      throw error
    }
  }

  async #prepare(etag: string): Promise<PreparedList> {
    const total = this.#publicKeys.size
    const devices = await this.#store.listPublic(publicDevicesListed)
    const json = Buffer.from(
      JSON.stringify(devices.map((device) => presentPublicDevice(device, this.#presence))),
    )
    return { etag, total, json, gzip: await compress(json) }
  }
}
