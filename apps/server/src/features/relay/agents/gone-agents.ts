import type { Clock } from '../../../clock.ts'
import type { CarriedIsland } from '../relayed-islands.ts'

/** By then the island's own record says since when it is closed. */
const rememberMs = 3_600_000

/** What an agent carries: one island of its device, or all of them if the island's key is null. */
interface Carries {
  readonly deviceKey: number
  readonly islandKey: number | null
}

/** When the last agent of a device or an island went. Two agents of a device may each carry one island. */
export class GoneAgents {
  readonly #atMs = new Map<string, number>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(carries: Carries): void {
    this.#atMs.set(mapKey(carries), this.#clock())
  }

  /** Call it when an agent is back or is not expected to return. */
  delete(carries: Carries): void {
    this.#atMs.delete(mapKey(carries))
  }

  since({ key, carrierKey: deviceKey }: CarriedIsland): number | undefined {
    if (deviceKey === null) return undefined
    const own = this.#atMs.get(mapKey({ deviceKey, islandKey: key }))
    const ofAll = this.#atMs.get(mapKey({ deviceKey, islandKey: null }))
    return own === undefined || ofAll === undefined ? (own ?? ofAll) : Math.max(own, ofAll)
  }

  deleteOld(): void {
    const untilMs = this.#clock() - rememberMs
    for (const [key, atMs] of this.#atMs) if (atMs <= untilMs) this.#atMs.delete(key)
  }
}

const mapKey = ({ deviceKey, islandKey }: Carries): string => `${deviceKey} ${islandKey ?? '*'}`
