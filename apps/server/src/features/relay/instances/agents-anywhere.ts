import type { Agents } from '../agents/agents.ts'
import { AgentWaiters } from '../agents/agent-waiters.ts'
import type { ReachableAgent, ReachableAgents } from '../agents/reachable-agents.ts'
import type { CarriedIsland } from '../relayed-islands.ts'

interface Elsewhere {
  readonly find: (island: CarriedIsland) => ReachableAgent | undefined
  /** Whether another server holds an agent of it, as far as this one knows. */
  readonly isThere: (island: CarriedIsland) => boolean
  readonly isOutOfReach: (island: CarriedIsland) => boolean
  readonly goneSince: (island: CarriedIsland) => number | undefined
}

/**
 * A server that falls silent is detected within 4 s, and its agents notice within 20 s. Until then,
 * visitors are told to try again soon.
 */
const graceMs = 25_000

/** The agents on all servers. Those on this server come first, the others are one hop away. */
export class AgentsAnywhere implements ReachableAgents {
  readonly #here: Agents
  readonly #elsewhere: Elsewhere
  readonly #clock: () => number
  readonly #waiters = new AgentWaiters((island) => this.find(island))

  constructor(here: Agents, elsewhere: Elsewhere, clock: () => number) {
    this.#here = here
    this.#elsewhere = elsewhere
    this.#clock = clock
  }

  find(island: CarriedIsland): ReachableAgent | undefined {
    return this.#here.find(island) ?? this.#elsewhere.find(island)
  }

  /** Whether any server holds an agent of it, as far as this one knows. */
  isThere(island: CarriedIsland): boolean {
    return this.#here.isThere(island) || this.#elsewhere.isThere(island)
  }

  async whenThere(island: CarriedIsland): Promise<ReachableAgent | undefined> {
    const agent = this.find(island)
    if (agent !== undefined || !this.wasThere(island) || this.isOutOfReach(island)) return agent
    return await this.#waiters.wait(island)
  }

  /** Call it when an agent may have come, to this server or another. */
  lookAgain(): void {
    this.#waiters.lookAgain()
  }

  wasThere(island: CarriedIsland): boolean {
    if (this.#elsewhere.isThere(island)) return true
    const goneMs = this.goneSince(island)
    return goneMs !== undefined && this.#clock() - goneMs < graceMs
  }

  goneSince(island: CarriedIsland): number | undefined {
    const here = this.#here.goneSince(island)
    const elsewhere = this.#elsewhere.goneSince(island)
    if (here === undefined || elsewhere === undefined) return here ?? elsewhere
    return Math.max(here, elsewhere)
  }

  isOutOfReach(island: CarriedIsland): boolean {
    return this.#elsewhere.isOutOfReach(island)
  }

  stop(): void {
    this.#waiters.stop()
  }
}
