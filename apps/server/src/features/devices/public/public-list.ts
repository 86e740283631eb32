import { publicDevicesListed } from '@astropelago/contract/limits'
import type { Clock } from '../../../clock.ts'
import type { ChangeSequence } from '../../../public-messages.ts'
import type { DevicePresence } from '../device-presence.ts'
import { listJson } from './list-json.ts'
import { newestFirst } from './newest-first.ts'
import { PreparedList, type ListEncoding } from './prepared-list.ts'
import type { PublicDevices } from './public-devices.ts'

const minIntervalMs = 1000
/** Limits the making of the list to a tenth of the time, for any number of devices. */
const restPerMaking = 10

interface PublicListOptions {
  readonly devices: PublicDevices
  readonly presence: Pick<DevicePresence, 'lastSeenMs'>
  readonly changes: ChangeSequence
  readonly clock: Clock
}

/**
 * The list of public devices. It is made on request after a change, but only once in each interval.
 * Requests in between get the last list, and its ETag gives its age, so that the feed can add what is
 * missing. A device that turned private or was deleted disappears at once. So does a device whose place
 * became coarser, until the next list is made.
 */
export class PublicList {
  readonly #options: PublicListOptions
  /** Devices that the current list, or the one being made, may still show although it must not. */
  readonly #withdrawnIds = new Set<string>()
  #list: PreparedList | undefined
  #making: Promise<void> | undefined
  #madeAtMs = Number.NEGATIVE_INFINITY
  #makingTookMs = 0

  constructor(options: PublicListOptions) {
    this.#options = options
  }

  get total(): number {
    return this.#options.devices.count
  }

  /** Removes a device from the list. Call it once storage and memory are up to date. */
  withdraw(id: string): void {
    if (this.#list !== undefined || this.#making !== undefined) this.#withdrawnIds.add(id)
  }

  async prepared(): Promise<PreparedList> {
    for (;;) {
      const list = this.servable()
      if (list !== undefined) return list
      this.#making ??= this.#make().finally(() => {
        this.#making = undefined
      })
      await this.#making
    }
  }

  /** The list's bytes in an encoding. The time for compressing counts as part of making the list. */
  async encoded(list: PreparedList, encoding: ListEncoding): Promise<Buffer> {
    const { clock } = this.#options
    const startMs = clock()
    const madeAtMs = this.#madeAtMs
    const bytes = await list.encoded(encoding)
    if (madeAtMs === this.#madeAtMs) {
      this.#makingTookMs = Math.max(this.#makingTookMs, clock() - startMs)
    }
    return bytes
  }

  /** The list, if it is fresh enough; undefined if it has to be made. */
  servable(): PreparedList | undefined {
    const { changes, clock } = this.#options
    if (this.#list === undefined) return undefined
    const intervalMs = Math.max(minIntervalMs, restPerMaking * this.#makingTookMs)
    const isDue = clock() >= this.#madeAtMs + intervalMs
    return isDue && !changes.isCurrent(this.#list.sequence) ? undefined : this.latest()
  }

  /** The last list of any age, without withdrawn devices. */
  latest(): PreparedList | undefined {
    if (this.#list !== undefined && this.#withdrawnIds.size > 0) {
      this.#list = this.#list.without(this.#withdrawnIds)
      this.#withdrawnIds.clear()
    }
    return this.#list
  }

  async #make(): Promise<void> {
    const { devices, presence, changes, clock } = this.#options
    // The list may or may not contain changes from here on. The feed sends them after this sequence,
    // each as a whole device, so the result is the same.
    const sequence = await changes.sealed()
    const startMs = clock()
    this.#withdrawnIds.clear()
    const keys = await newestFirst({
      has: (key) => devices.has(key),
      count: devices.count,
      keyBound: devices.keyBound,
      lastSeenMs: (key) => presence.lastSeenMs(key),
      limit: publicDevicesListed,
    })
    const json = await listJson(keys, {
      jsonBytes: (key) => devices.jsonBytes(key),
      copyJson: (key, target, at) => devices.copyJson(key, target, at),
    })
    this.#list = new PreparedList(sequence, json)
    this.#madeAtMs = startMs
    this.#makingTookMs = clock() - startMs
  }
}
