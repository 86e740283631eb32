import { setImmediate as otherWork } from 'node:timers/promises'
import { listPublicDevices, type PublicDevice } from '@astropelago/contract/devices'
import { publicDevicesListed } from '@astropelago/contract/limits'
import type { Clock } from '../../../clock.ts'
import type { AnswerEarly, EarlyParts } from '../../../http/early-answers.ts'
import type { ChangeSequence } from '../../../public-messages.ts'
import { Topic } from '../../../topic.ts'
import type { Presence } from '../../presence/public.ts'
import { newestFirst } from './newest-first.ts'
import { listJson, PreparedList, type ListEncoding } from './prepared-list.ts'
import type { PublicDevices } from './public-devices.ts'

const minIntervalMs = 1000
/** Limits the making of the list to a tenth of the time, for any number of devices. */
const restPerMaking = 10
const devicesPerTurn = 500

export interface ListedDevice extends PublicDevice {
  readonly publicSinceMs: number
  readonly lastSeenMs: number | null
}

interface PublicListOptions {
  readonly devices: PublicDevices
  readonly presence: Pick<Presence, 'lastSeenMs'>
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
  readonly #withdrawals = new Topic()
  #list: PreparedList | undefined
  #making: Promise<void> | undefined
  #madeAtMs = Number.NEGATIVE_INFINITY
  #makingTookMs = 0

  constructor(options: PublicListOptions) {
    this.#options = options
  }

  get total(): number {
    return this.#options.devices.records.size
  }

  /** Removes a device from the list. Call it once storage and memory are up to date. */
  withdraw(id: string): void {
    if (this.#list !== undefined || this.#making !== undefined) this.#withdrawnIds.add(id)
    this.#withdrawals.publish()
  }

  readonly onWithdraw = this.#withdrawals.subscribe

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

  /** The devices of the list, last seen first. Each part is current when it is read. */
  async *read(): AsyncGenerator<readonly ListedDevice[]> {
    const { devices, presence } = this.#options
    const keys = await this.#newestKeys()
    for (let from = 0; from < keys.length; from += devicesPerTurn) {
      const part: ListedDevice[] = []
      for (const key of keys.subarray(from, from + devicesPerTurn)) {
        const device = devices.read(key)
        if (device !== undefined) part.push({ ...device, lastSeenMs: presence.lastSeenMs(key) })
      }
      yield part
      await otherWork()
    }
  }

  async #make(): Promise<void> {
    const { devices, changes, clock } = this.#options
    // The list may or may not contain changes from here on. The feed sends them after this sequence,
    // each as a whole device, so the result is the same.
    const sequence = await changes.sealed()
    const startMs = clock()
    this.#withdrawnIds.clear()
    const json = await listJson(await this.#newestKeys(), devices.records)
    this.#list = new PreparedList(sequence, json)
    this.#madeAtMs = startMs
    this.#makingTookMs = clock() - startMs
  }

  #newestKeys(): Promise<Uint32Array> {
    const { devices, presence } = this.#options
    return newestFirst({
      records: devices.records,
      lastSeenMs: (key) => presence.lastSeenMs(key),
      limit: publicDevicesListed,
    })
  }
}

/** Answers 304 to a client that has the current list. Everything else goes to the ordinary route. */
export function answerUnchangedList(
  list: Pick<PublicList, 'servable'>,
  { answers, takeEarly, headers: ofEachAnswer }: EarlyParts,
): AnswerEarly {
  const answered = answers.of(listPublicDevices, 304)
  const headers = { ...ofEachAnswer, 'cache-control': 'no-cache', vary: 'accept-encoding' }
  const prepared = { etag: '', headers: [''] }

  return (request, response) => {
    if (request.url !== listPublicDevices.path || request.method !== listPublicDevices.method) {
      return false
    }
    const ifNoneMatch = request.headers['if-none-match']
    const etag = list.servable()?.etag
    if (etag === undefined || ifNoneMatch !== etag || !takeEarly(request.socket)) return false
    if (prepared.etag !== etag) {
      prepared.etag = etag
      prepared.headers = Object.entries({ ...headers, etag }).flat()
    }
    response.writeHead(304, prepared.headers).end()
    answered.count += 1
    return true
  }
}
