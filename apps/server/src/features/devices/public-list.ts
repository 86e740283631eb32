import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { publicDevicesListed } from '@astropelago/contract/limits'
import type { DevicePresence } from './device-presence.ts'
import type { DevicesStore } from './devices-store.ts'
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
 * ask. Its sequence, `<epoch>-<n>`, grows with every change; the epoch tells one start of the server
 * from another.
 */
export class PublicList {
  readonly #store: Pick<DevicesStore, 'listPublic' | 'countPublic'>
  readonly #presence: DevicePresence
  readonly #epoch = randomBytes(6).toString('base64url')
  #changes = 0
  #prepared: { readonly etag: string; readonly list: Promise<PreparedList> } | undefined

  constructor(store: Pick<DevicesStore, 'listPublic' | 'countPublic'>, presence: DevicePresence) {
    this.#store = store
    this.#presence = presence
  }

  /** To be called after a change that the list may show is durable. */
  noteChange(): void {
    this.#changes += 1
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
    const devices = await this.#store.listPublic(publicDevicesListed)
    const isWhole = devices.length < publicDevicesListed
    const total = isWhole ? devices.length : await this.#store.countPublic()
    const json = Buffer.from(
      JSON.stringify(devices.map((device) => presentPublicDevice(device, this.#presence))),
    )
    return { etag, total, json, gzip: await compress(json) }
  }
}
