import { createHash } from 'node:crypto'

/** Enough for a quorum of which some may be slow or lie. */
export const locationsPerCheck = 5

export interface Candidate {
  readonly deviceKey: number
  readonly userKey: number
  readonly id: string
  /** Looks that it lends in an hour. */
  readonly perHour: number
}

interface Assigned {
  readonly perHour: number
  readonly deviceKeys: ReadonlySet<number>
}

/**
 * Which locations look at which checks. A check keeps its locations as long as they are there, because two failures
 * in a row count, and no location gets more than it lends.
 */
export class Assignments {
  readonly #byCheck = new Map<number, Assigned>()
  /** Looks an hour that each location has been promised for. */
  readonly #loads = new Map<number, number>()

  /** @param candidates at most one of each user, and none of the check's owner */
  choose(
    check: { readonly key: number; readonly id: string; readonly perHour: number },
    candidates: readonly Candidate[],
  ): readonly Candidate[] {
    const before = this.#byCheck.get(check.key)
    this.drop(check.key)
    const hasRoom = ({ deviceKey, perHour }: Candidate) =>
      (this.#loads.get(deviceKey) ?? 0) + check.perHour <= perHour
    const chosen = new Map<number, Candidate>()
    const take = (candidate: Candidate) => {
      const { userKey } = candidate
      if (chosen.size < locationsPerCheck && !chosen.has(userKey) && hasRoom(candidate)) {
        chosen.set(userKey, candidate)
      }
    }
    for (const one of candidates) if (before?.deviceKeys.has(one.deviceKey) === true) take(one)
    if (chosen.size < locationsPerCheck) {
      const ranked = candidates.map((one) => [rankOf(check.id, one.id), one] as const)
      for (const [, one] of ranked.toSorted(([a], [b]) => (a < b ? -1 : 1))) take(one)
    }
    const deviceKeys = new Set([...chosen.values()].map(({ deviceKey }) => deviceKey))
    this.#byCheck.set(check.key, { perHour: check.perHour, deviceKeys })
    this.#add(deviceKeys, check.perHour)
    return [...chosen.values()]
  }

  drop(checkKey: number): void {
    const assigned = this.#byCheck.get(checkKey)
    if (assigned === undefined) return
    this.#byCheck.delete(checkKey)
    this.#add(assigned.deviceKeys, -assigned.perHour)
  }

  #add(deviceKeys: ReadonlySet<number>, perHour: number): void {
    for (const key of deviceKeys) {
      const load = (this.#loads.get(key) ?? 0) + perHour
      if (load > 0) this.#loads.set(key, load)
      else this.#loads.delete(key)
    }
  }
}

/** Spreads checks over locations, in the same way each time. */
const rankOf = (checkId: string, locationId: string): string =>
  createHash('sha256').update(`${checkId} ${locationId}`).digest('hex')
