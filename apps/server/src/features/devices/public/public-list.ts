import { publicDevicesListed } from '@astropelago/contract/limits'
import type { Clock } from '../../../clock.ts'
import type { ChangeSequence } from '../../../public-messages.ts'
import type { DevicePresence } from '../device-presence.ts'
import { listJson } from './list-json.ts'
import { newestFirst } from './newest-first.ts'
import { PreparedList, type ListEncoding } from './prepared-list.ts'
import type { PublicDevices } from './public-devices.ts'

const minIntervalMs = 1000
/** So that making the list takes a tenth of the time at most, however many devices there are. */
const restPerMaking = 10

interface PublicListOptions {
  readonly devices: PublicDevices
  readonly presence: Pick<DevicePresence, 'lastSeenMs'>
  readonly changes: ChangeSequence
  readonly clock: Clock
}

/**
 * The list of public devices, made when somebody asks for it after a change, and not again within its
 * interval: those who ask meanwhile get the last one, whose ETag says how old it is, so that the feed
 * can add what it lacks. A device that turned private or was deleted disappears from it at once; so does
 * one of which less may be known than before, until the list is next made.
 */
export class PublicList {
  readonly #options: PublicListOptions
  /** Devices that may be in the list that was made or is being made as nobody may see them any more. */
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

  /** Takes back what it tells of a device, to be called once storage and memory know better. */
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

  /** The list's bytes in an encoding; what compressing takes counts as part of making the list. */
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

  /** The list, if it is fresh or may still be served; undefined when it has to be made. */
  servable(): PreparedList | undefined {
    const { changes, clock } = this.#options
    if (this.#list === undefined) return undefined
    const intervalMs = Math.max(minIntervalMs, restPerMaking * this.#makingTookMs)
    const isDue = clock() >= this.#madeAtMs + intervalMs
    return isDue && !changes.isCurrent(this.#list.sequence) ? undefined : this.latest()
  }

  /** The last list that was made, however old, without what was withdrawn. */
  latest(): PreparedList | undefined {
    if (this.#list !== undefined && this.#withdrawnIds.size > 0) {
      this.#list = this.#list.without(this.#withdrawnIds)
      this.#withdrawnIds.clear()
    }
    return this.#list
  }

  async #make(): Promise<void> {
    const { devices, presence, changes, clock } = this.#options
    // What changes from here on may be in the list or not: the feed tells of it after this sequence,
    // always as the whole device, so both come to the same.
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
