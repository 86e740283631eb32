import {
  relayRequestsPerIsland,
  relayRequestsPerNetwork,
  relayStreamsPerIsland,
  relayStreamsPerNetwork,
} from '@astropelago/contract/limits'
import { waitingMaxBytes } from '../../../http/connections.ts'

/** How much may wait in memory for slow readers, who can come from many networks. */
const waitingMaxBytesInAll = 256 * 1024 * 1024
const waitingMaxBytesOfHost = 128 * 1024 * 1024

interface Counted {
  readonly islandKey: number
  /** The visitor's network; left out if somebody else limits networks. */
  readonly network?: string
}

interface TransferOptions extends Counted {
  /** A text that changes as soon as a byte went either way. */
  readonly progress: () => string
  /** Whether bytes wait to be read. Without that, a stream may be idle indefinitely. */
  readonly isWaiting: () => boolean
  readonly waitingBytes?: () => number
  /** `stuck`: it makes no progress. `shut`: its visitor may have lost the right to be there. */
  readonly cut: (why: 'stuck' | 'shut') => void
}

export interface Transfer {
  /** Lets it be idle from now on, as a WebSocket. It is counted with streams if they have room. */
  readonly mayRest: () => void
  readonly end: () => void
}

interface Running extends TransferOptions {
  rests: boolean
  isCountedApart: boolean
  seen: string
  stuckChecks: number
}

export class Transfers {
  readonly #running = new Set<Running>()
  readonly #requests = new Counts(relayRequestsPerIsland, relayRequestsPerNetwork)
  readonly #streams = new Counts(relayStreamsPerIsland, relayStreamsPerNetwork)
  readonly #checks: NodeJS.Timeout
  readonly #stuckChecks: number
  readonly #hostOf: (islandKey: number) => number | undefined

  /** Ends transfers that make no progress for 60 s. */
  constructor({
    hostOf,
    checkMs = 1000,
    stuckChecks = 60,
  }: {
    /** The host of an island. Without it, each island is limited as if its host had no other. */
    readonly hostOf?: (islandKey: number) => number | undefined
    readonly checkMs?: number
    /** Counts checks instead of time, because nothing moves while the machine sleeps. */
    readonly stuckChecks?: number
  } = {}) {
    this.#hostOf = hostOf ?? ((islandKey) => islandKey)
    this.#stuckChecks = stuckChecks
    this.#checks = setInterval(() => this.#check(), checkMs)
    this.#checks.unref()
  }

  /** Undefined if the island, or the visitor's network on it, has reached its limit. */
  begin(options: TransferOptions): Transfer | undefined {
    if (this.#requests.areFull(options)) return undefined
    this.#requests.add(options, 1)
    const state = { rests: false, isCountedApart: false, seen: '', stuckChecks: 0 }
    const running: Running = { ...options, ...state }
    this.#running.add(running)
    return {
      mayRest: () => {
        if (running.rests || !this.#running.has(running)) return
        running.rests = true
        if (this.#streams.areFull(options)) return
        running.isCountedApart = true
        this.#requests.add(options, -1)
        this.#streams.add(options, 1)
      },
      end: () => {
        if (!this.#running.delete(running)) return
        const counts = running.isCountedApart ? this.#streams : this.#requests
        counts.add(options, -1)
      },
    }
  }

  get count(): number {
    return this.#running.size
  }

  stop(): void {
    clearInterval(this.#checks)
  }

  #check(): void {
    for (const running of this.#running) {
      const seen = running.progress()
      const isStuck = seen === running.seen && (!running.rests || running.isWaiting())
      running.stuckChecks = isStuck ? running.stuckChecks + 1 : 0
      running.seen = seen
      if (running.stuckChecks >= this.#stuckChecks) running.cut('stuck')
    }
    this.#boundWaiting()
  }

  /** Cuts the transfers that hold most until all limits are met, the newest of equal ones first. */
  #boundWaiting(): void {
    const bounds = [
      boundOf(waitingMaxBytesInAll, () => ''),
      boundOf(waitingMaxBytesOfHost, ({ islandKey }) => this.#hostOf(islandKey)),
      boundOf(waitingMaxBytes, ({ network }) => network),
    ]
    const add = (transfer: Running, change: number) => {
      for (const { holderOf, bytes } of bounds) bytes.add(holderOf(transfer), change)
    }
    const waiting = [...this.#running]
      .toReversed()
      .map((running) => ({ running, waits: running.waitingBytes?.() ?? 0 }))
      .filter(({ waits }) => waits > 0)
    for (const { running, waits } of waiting) add(running, waits)
    for (const { running, waits } of waiting.toSorted((one, other) => other.waits - one.waits)) {
      const isOver = bounds.some(({ max, holderOf, bytes }) => bytes.of(holderOf(running)) > max)
      if (!isOver) continue
      add(running, -waits)
      running.cut('stuck')
    }
  }
}

/** @param holderOf undefined if somebody else limits what the transfer's holder may have waiting */
function boundOf(max: number, holderOf: (transfer: Counted) => string | number | undefined) {
  return { max, holderOf, bytes: new Tally() }
}

class Counts {
  readonly #perIsland: number
  readonly #perNetwork: number
  readonly #byIsland = new Tally()
  readonly #byNetwork = new Tally()

  constructor(perIsland: number, perNetwork: number) {
    this.#perIsland = perIsland
    this.#perNetwork = perNetwork
  }

  areFull({ islandKey, network }: Counted): boolean {
    return (
      this.#byIsland.of(islandKey) >= this.#perIsland ||
      this.#byNetwork.of(`${islandKey} ${network}`) >= this.#perNetwork
    )
  }

  add({ islandKey, network }: Counted, change: 1 | -1): void {
    this.#byIsland.add(islandKey, change)
    if (network !== undefined) this.#byNetwork.add(`${islandKey} ${network}`, change)
  }
}

class Tally {
  readonly #sums = new Map<string | number, number>()

  of(key: string | number | undefined): number {
    return key === undefined ? 0 : (this.#sums.get(key) ?? 0)
  }

  add(key: string | number | undefined, change: number): void {
    if (key === undefined) return
    const sum = this.of(key) + change
    if (sum === 0) this.#sums.delete(key)
    else this.#sums.set(key, sum)
  }
}
