import type { Clock } from '../../../clock.ts'
import type { CarriedIsland } from '../served-islands.ts'
import type { AgentIdentity, AgentSession } from './agent-session.ts'
import type { Agents } from './agents.ts'

/** An agent to which streams can be opened: connected to this server, or to another one that is one hop away. */
export interface ReachableAgent extends Pick<AgentSession, 'isOpen' | 'open' | 'withService'> {
  readonly kept: Pick<AgentSession['kept'], 'take' | 'keep'>
  /** Only of agents that are connected to this server. */
  readonly identity?: AgentIdentity
}

const waitMs = 3000
/** For this long after a connection is lost, visitors wait for the agent to return. */
const graceMs = 10_000
/** A silent server is detected within 4 s, and its agents notice within 20 s. Until then, visitors retry. */
const graceOfServersMs = 25_000

type Elsewhere = Pick<ReachableAgents, 'find' | 'isThere' | 'goneSince' | 'isOutOfReach'>

interface Waiter {
  readonly island: CarriedIsland
  readonly resolve: (agent: ReachableAgent | undefined) => void
}

export class ReachableAgents {
  readonly #here: Agents
  readonly #elsewhere: Elsewhere | undefined
  readonly #clock: Clock
  readonly #waiters = new Set<Waiter>()
  #isStopped = false

  constructor(here: Agents, elsewhere: Elsewhere | undefined, clock: Clock) {
    this.#here = here
    this.#elsewhere = elsewhere
    this.#clock = clock
  }

  find(island: CarriedIsland): ReachableAgent | undefined {
    return this.#here.find(island) ?? this.#elsewhere?.find(island)
  }

  isThere(island: CarriedIsland): boolean {
    return this.#here.isThere(island) || this.#elsewhere?.isThere(island) === true
  }

  wasThere(island: CarriedIsland): boolean {
    if (this.#elsewhere?.isThere(island) === true) return true
    const goneMs = this.goneSince(island)
    const thisLongMs = this.#elsewhere === undefined ? graceMs : graceOfServersMs
    return goneMs !== undefined && this.#clock() - goneMs < thisLongMs
  }

  goneSince(island: CarriedIsland): number | undefined {
    const here = this.#here.goneSince(island)
    const elsewhere = this.#elsewhere?.goneSince(island)
    if (here === undefined || elsewhere === undefined) return here ?? elsewhere
    return Math.max(here, elsewhere)
  }

  /** Whether its agents are all connected to servers that this one can't reach. */
  isOutOfReach(island: CarriedIsland): boolean {
    return this.#elsewhere?.isOutOfReach(island) === true
  }

  /** Waits for an agent that was connected a moment ago. Undefined if none comes. */
  async whenThere(island: CarriedIsland): Promise<ReachableAgent | undefined> {
    const agent = this.find(island)
    if (agent !== undefined || !this.wasThere(island) || this.isOutOfReach(island)) return agent
    if (this.#isStopped) return undefined
    return await new Promise((resolve) => {
      const waiter: Waiter = {
        island,
        resolve: (found) => {
          clearTimeout(timer)
          this.#waiters.delete(waiter)
          resolve(found)
        },
      }
      const timer = setTimeout(() => waiter.resolve(undefined), waitMs)
      this.#waiters.add(waiter)
    })
  }

  serveWaiters(): void {
    for (const waiter of this.#waiters) {
      const found = this.find(waiter.island)
      if (found !== undefined) waiter.resolve(found)
    }
  }

  stop(): void {
    this.#isStopped = true
    for (const waiter of this.#waiters) waiter.resolve(undefined)
  }
}
