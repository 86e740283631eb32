import {
  relayRequestsPerIsland,
  relayRequestsPerNetwork,
  relayStreamsPerIsland,
  relayStreamsPerNetwork,
} from '@astropelago/contract/limits'
import { waitingMaxBytes } from '../../../http/connections.ts'

/** It makes no progress, or its visitor may not be there any more. */
export type CutReason = 'stuck' | 'shut'

interface Counted {
  readonly islandKey: number
  /** Where its visitor comes from; left out where somebody else bounds that. */
  readonly network?: string
}

interface TransferOptions extends Counted {
  /** A text that is another one as soon as a byte went either way. */
  readonly progress: () => string
  /** Whether something waits to be taken: without that, a stream may rest for as long as it likes. */
  readonly isWaiting: () => boolean
  /** What of it waits in memory until its visitor takes it. */
  readonly waitingBytes?: () => number
  /** Ends it wherever it is. */
  readonly cut: (why: CutReason) => void
}

/** One request, or one connection that it became, while it is under way. */
export interface Transfer {
  /** From now on it may rest: a WebSocket, an event stream. Counted apart where there is room. */
  readonly mayRest: () => void
  readonly end: () => void
}

interface Running extends TransferOptions {
  rests: boolean
  isCountedApart: boolean
  seen: string
  stuckLooks: number
}

interface LookTimes {
  readonly lookMs: number
  /** Looks, not a time: nothing moves while the machine sleeps. */
  readonly stuckLooks: number
}

/** What is under way between visitors and agents. */
export class Transfers {
  readonly #running = new Set<Running>()
  readonly #requests = new Counts(relayRequestsPerIsland, relayRequestsPerNetwork)
  readonly #streams = new Counts(relayStreamsPerIsland, relayStreamsPerNetwork)
  readonly #looks: NodeJS.Timeout
  readonly #stuckLooks: number

  /** One that makes no progress for 60 s is ended. */
  constructor({ lookMs, stuckLooks }: LookTimes = { lookMs: 5000, stuckLooks: 12 }) {
    this.#stuckLooks = stuckLooks
    this.#looks = setInterval(() => this.#look(), lookMs)
    this.#looks.unref()
  }

  /** Undefined where as many of the island, or of its visitor's network there, are under way as may be. */
  begin(options: TransferOptions): Transfer | undefined {
    if (this.#requests.areFull(options)) return undefined
    this.#requests.add(options, 1)
    const running: Running = {
      ...options,
      rests: false,
      isCountedApart: false,
      seen: '',
      stuckLooks: 0,
    }
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

  /** How many are under way, of all islands. */
  get count(): number {
    return this.#running.size
  }

  stop(): void {
    clearInterval(this.#looks)
  }

  #look(): void {
    /** What waits for each network, of all islands together. */
    const waiting = new Map<string, number>()
    for (const running of this.#running) {
      const seen = running.progress()
      const isStuck = seen === running.seen && (!running.rests || running.isWaiting())
      running.stuckLooks = isStuck ? running.stuckLooks + 1 : 0
      running.seen = seen
      const { network, waitingBytes } = running
      let isOver = false
      if (network !== undefined) {
        const bytes = (waiting.get(network) ?? 0) + (waitingBytes?.() ?? 0)
        isOver = bytes > waitingMaxBytes
        // What is cut makes room for others.
        if (!isOver) waiting.set(network, bytes)
      }
      if (isOver || running.stuckLooks >= this.#stuckLooks) running.cut('stuck')
    }
  }
}

/** How many of a kind are under way, of each island and of each network there. */
class Counts {
  readonly #perIsland: number
  readonly #perNetwork: number
  readonly #byIsland = new Map<number, number>()
  readonly #byNetwork = new Map<string, number>()

  constructor(perIsland: number, perNetwork: number) {
    this.#perIsland = perIsland
    this.#perNetwork = perNetwork
  }

  areFull({ islandKey, network }: Counted): boolean {
    const ofNetwork = this.#byNetwork.get(`${islandKey} ${network}`) ?? 0
    return (this.#byIsland.get(islandKey) ?? 0) >= this.#perIsland || ofNetwork >= this.#perNetwork
  }

  add({ islandKey, network }: Counted, change: 1 | -1): void {
    add(this.#byIsland, islandKey, change)
    if (network !== undefined) add(this.#byNetwork, `${islandKey} ${network}`, change)
  }
}

function add<Key>(counts: Map<Key, number>, key: Key, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}
