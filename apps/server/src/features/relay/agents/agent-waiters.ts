import type { CarriedIsland } from '../relayed-islands.ts'

/** A visitor waits so long for an agent that was there a moment ago. */
const waitMs = 3000

interface Waiter<Agent> {
  readonly island: CarriedIsland
  readonly resolve: (agent: Agent | undefined) => void
}

/** Those who wait for an island's agent, which was there a moment ago. */
export class AgentWaiters<Agent> {
  readonly #find: (island: CarriedIsland) => Agent | undefined
  readonly #waiters = new Set<Waiter<Agent>>()
  #isOver = false

  constructor(find: (island: CarriedIsland) => Agent | undefined) {
    this.#find = find
  }

  /** Undefined where none comes in that time. */
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

  /** To be called when one may have come. */
  lookAgain(): void {
    for (const waiter of this.#waiters) {
      const found = this.#find(waiter.island)
      if (found !== undefined) waiter.resolve(found)
    }
  }

  /** None comes any more. */
  stop(): void {
    this.#isOver = true
    for (const waiter of this.#waiters) waiter.resolve(undefined)
  }
}
