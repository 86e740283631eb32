import * as v from 'valibot'
import { GoneAgents } from '../agents/gone-agents.ts'
import type { CarriedIsland } from '../relayed-islands.ts'
import type { Lease } from './instances-store.ts'

/** As the journal has them. */
export const LeaseChanges = v.array(
  v.object({
    writer: v.number(),
    deviceKey: v.number(),
    agentId: v.string(),
    islandKey: v.nullable(v.number()),
    sinceMs: v.number(),
    /** False for one that has ended. */
    isHeld: v.boolean(),
  }),
)
type LeaseChange = v.InferOutput<typeof LeaseChanges>[number]

/** Which agents other servers hold, as this one has heard. */
export class KnownLeases {
  readonly #byDevice = new Map<number, Lease[]>()
  readonly #gone: GoneAgents
  readonly #onChange: (deviceKey: number) => void
  /** What was told while all of it is read anew, and may not be in what was read. */
  #meanwhile: LeaseChange[] | undefined

  /** @param onChange called with each device of which an agent may have come or gone */
  constructor(clock: () => number, onChange: (deviceKey: number) => void) {
    this.#gone = new GoneAgents(clock)
    this.#onChange = onChange
  }

  /** Those of an agent that carries the island, of each agent the newest one alone. */
  of({ key, carrierKey }: CarriedIsland): readonly Lease[] {
    const ofDevice = carrierKey === null ? undefined : this.#byDevice.get(carrierKey)
    if (ofDevice === undefined) return []
    return ofDevice.filter(
      (lease) =>
        (lease.islandKey === null || lease.islandKey === key) &&
        !ofDevice.some((other) => other.agentId === lease.agentId && other.sinceMs > lease.sinceMs),
    )
  }

  /** Since when no other server holds an agent of it, where one did not long ago. */
  goneSince(island: CarriedIsland): number | undefined {
    return this.of(island).length > 0 ? undefined : this.#gone.since(island)
  }

  change(change: LeaseChange): void {
    this.#meanwhile?.push(change)
    const { isHeld, ...lease } = change
    const others = (this.#byDevice.get(lease.deviceKey) ?? []).filter(
      ({ writer, agentId }) => writer !== lease.writer || agentId !== lease.agentId,
    )
    this.#keep(lease.deviceKey, isHeld ? [...others, lease] : others)
  }

  /** @param read those of servers that live */
  async replace(read: () => Promise<readonly Lease[]>): Promise<void> {
    this.#meanwhile = []
    try {
      const leases = Map.groupBy(await read(), ({ deviceKey }) => deviceKey)
      for (const deviceKey of this.#byDevice.keys()) {
        if (!leases.has(deviceKey)) this.#keep(deviceKey, [])
      }
      for (const [deviceKey, ofDevice] of leases) this.#keep(deviceKey, ofDevice)
      const changes = this.#meanwhile
      this.#meanwhile = undefined
      for (const change of changes) this.change(change)
    } finally {
      this.#meanwhile = undefined
    }
  }

  /** Forgets who had an agent once. */
  forgetOld(): void {
    this.#gone.forgetOld()
  }

  #keep(deviceKey: number, leases: Lease[]): void {
    const held = new Set(leases.map(({ islandKey }) => islandKey))
    for (const { islandKey } of this.#byDevice.get(deviceKey) ?? []) {
      if (!held.has(islandKey)) this.#gone.note({ deviceKey, islandKey })
    }
    for (const islandKey of held) this.#gone.forget({ deviceKey, islandKey })
    if (leases.length > 0) this.#byDevice.set(deviceKey, leases)
    else this.#byDevice.delete(deviceKey)
    this.#onChange(deviceKey)
  }
}
