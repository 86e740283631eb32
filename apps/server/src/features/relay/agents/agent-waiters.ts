import type { CarriedIsland } from '../relayed-islands.ts'

/** How long a visitor waits for an agent that was connected a moment ago. */
const waitMs = 3000

interface Waiter<Agent> {
  readonly island: CarriedIsland
  readonly resolve: (agent: Agent | undefined) => void
}

/** Visitors who wait for an island's agent to come back. */
export class AgentWaiters<Agent> {
  readonly #find: (island: CarriedIsland) => Agent | undefined
  readonly #waiters = new Set<Waiter<Agent>>()
  #isOver = false

  constructor(find: (island: CarriedIsland) => Agent | undefined) {
    this.#find = find
  }

  /** Undefined if none comes in time. */
  async wait(island: CarriedIsland): Promise<Agent | undefined> {
    if (this.#isOver) return undefined
    return await new Promise((resolve) => {
      const waiter = {
        island,
        resolve: (found: Agent | undefined) => {
          clearTimeout(timer)
          this.#waiters.delete(waiter)
          resolve(found)
        },
      }
      const timer = setTimeout(() => waiter.resolve(undefined), waitMs)
      this.#waiters.add(waiter)
    })
  }

  /** Call it when an agent may have come. */
  lookAgain(): void {
    for (const waiter of this.#waiters) {
      const found = this.#find(waiter.island)
      if (found !== undefined) waiter.resolve(found)
    }
  }

  /** Ends all waits. No agent comes any more. */
  stop(): void {
    this.#isOver = true
    for (const waiter of this.#waiters) waiter.resolve(undefined)
  }
}
