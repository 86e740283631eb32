import { GoneAgents } from '../agents/gone-agents.ts'
import type { CarriedIsland } from '../relayed-islands.ts'
import type { Lease, LeaseChange } from './instances-store.ts'

/** Which agents other servers hold, as far as this one knows. */
export class CachedLeases {
  readonly #byDevice = new Map<number, Lease[]>()
  readonly #gone: GoneAgents
  readonly #onChange: (deviceKey: number) => void
  /** Changes during `replace`, which its reading may not include. */
  #meanwhile: LeaseChange[] | undefined

  constructor(clock: () => number, onChange: (deviceKey: number) => void) {
    this.#gone = new GoneAgents(clock)
    this.#onChange = onChange
  }

  /** The leases of agents that carry the island, only the newest of each agent. */
  of({ key, carrierKey }: CarriedIsland): readonly Lease[] {
    const ofDevice = carrierKey === null ? undefined : this.#byDevice.get(carrierKey)
    if (ofDevice === undefined) return []
    return ofDevice.filter(
      (lease) =>
        (lease.islandKey === null || lease.islandKey === key) &&
        !ofDevice.some((other) => other.agentId === lease.agentId && other.sinceMs > lease.sinceMs),
    )
  }

  goneSince(island: CarriedIsland): number | undefined {
    return this.of(island).length > 0 ? undefined : this.#gone.since(island)
  }

  change(change: LeaseChange): void {
    this.#meanwhile?.push(change)
    const { isHeld, ...lease } = change
    const others = (this.#byDevice.get(lease.deviceKey) ?? []).filter(
      ({ writer, agentId }) => writer !== lease.writer || agentId !== lease.agentId,
    )
    this.#set(lease.deviceKey, isHeld ? [...others, lease] : others)
  }

  async replace(read: () => Promise<readonly Lease[]>): Promise<void> {
    this.#meanwhile = []
    try {
      const leases = Map.groupBy(await read(), ({ deviceKey }) => deviceKey)
      for (const deviceKey of this.#byDevice.keys()) {
        if (!leases.has(deviceKey)) this.#set(deviceKey, [])
      }
      for (const [deviceKey, ofDevice] of leases) this.#set(deviceKey, ofDevice)
      const changes = this.#meanwhile
      this.#meanwhile = undefined
      for (const change of changes) this.change(change)
    } finally {
      this.#meanwhile = undefined
    }
  }

  deleteOld(): void {
    this.#gone.deleteOld()
  }

  #set(deviceKey: number, leases: Lease[]): void {
    const held = new Set(leases.map(({ islandKey }) => islandKey))
    for (const { islandKey } of this.#byDevice.get(deviceKey) ?? []) {
      if (!held.has(islandKey)) this.#gone.add({ deviceKey, islandKey })
    }
    for (const islandKey of held) this.#gone.delete({ deviceKey, islandKey })
    if (leases.length > 0) this.#byDevice.set(deviceKey, leases)
    else this.#byDevice.delete(deviceKey)
    this.#onChange(deviceKey)
  }
}
