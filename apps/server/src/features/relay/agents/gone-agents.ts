import type { Clock } from '../../../clock.ts'
import type { CarriedIsland } from '../relayed-islands.ts'

/** Islands tell it themselves by then. */
const rememberMs = 3_600_000

/** What an agent carries: one island of its device, or all of them, for which the island's key is null. */
interface Carries {
  readonly deviceKey: number
  readonly islandKey: number | null
}

/** When the last of those went that carried the same: two agents of a device may carry an island each. */
export class GoneAgents {
  readonly #atMs = new Map<string, number>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  note(carries: Carries): void {
    this.#atMs.set(nameOf(carries), this.#clock())
  }

  /** To be called when one is there again, or is not waited for. */
  forget(carries: Carries): void {
    this.#atMs.delete(nameOf(carries))
  }

  /** Of an island that none carries now; undefined where none did for long. */
  since({ key, carrierKey: deviceKey }: CarriedIsland): number | undefined {
    if (deviceKey === null) return undefined
    const own = this.#atMs.get(nameOf({ deviceKey, islandKey: key }))
    const ofAll = this.#atMs.get(nameOf({ deviceKey, islandKey: null }))
    return own === undefined || ofAll === undefined ? (own ?? ofAll) : Math.max(own, ofAll)
  }

  forgetOld(): void {
    const untilMs = this.#clock() - rememberMs
    for (const [name, atMs] of this.#atMs) if (atMs <= untilMs) this.#atMs.delete(name)
  }
}

const nameOf = ({ deviceKey, islandKey }: Carries): string => `${deviceKey} ${islandKey ?? '*'}`
