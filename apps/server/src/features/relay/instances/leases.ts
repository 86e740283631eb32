import type { Clock } from '../../../clock.ts'
import { KeyedQueue } from '../../../keyed-queue.ts'
import type { AgentSession } from '../agents/agent-session.ts'
import { GoneAgents } from '../agents/agents.ts'
import type { CarriedIsland } from '../relayed-islands.ts'
import type { InstancesStore, Lease, LeaseChange, OwnLease } from './instances-store.ts'

/** Delay after the database failed. */
const retryMs = 1000

/** Which agents other servers hold, as far as this one knows. */
export class CachedLeases {
  readonly #byDevice = new Map<number, Lease[]>()
  readonly #gone: GoneAgents
  readonly #onChange: (deviceKey: number) => void
  /** Changes during `replace`, which its reading may not include. */
  #meanwhile: LeaseChange[] | undefined

  constructor(clock: Clock, onChange: (deviceKey: number) => void) {
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

interface OwnLeasesOptions {
  readonly store: Pick<InstancesStore, 'write'>
  readonly clock: Clock
  readonly onFailure: (error: unknown) => void
}

/**
 * Records for other servers which agents are connected to this one. Changes that come during a write are
 * written together afterwards, so a thousand agents that connect at once take few transactions.
 */
export class OwnLeases {
  readonly #options: OwnLeasesOptions
  readonly #held = new Map<string, { readonly session: AgentSession; readonly lease: OwnLease }>()
  readonly #unwritten: KeyedQueue<string>

  constructor(options: OwnLeasesOptions) {
    this.#options = options
    this.#unwritten = new KeyedQueue({
      run: (agents) => this.#write([...agents]),
      retryAfterMs: () => retryMs,
      onFailure: options.onFailure,
    })
  }

  add(session: AgentSession): void {
    const { agentId, islandKey, caller } = session.identity
    const lease = {
      deviceKey: caller.deviceKey,
      agentId,
      islandKey,
      sinceMs: this.#options.clock(),
    }
    this.#held.set(mapKey(lease), { session, lease })
    void this.#unwritten.add(mapKey(lease))
  }

  delete(session: AgentSession): void {
    const { agentId, caller } = session.identity
    const agent = mapKey({ deviceKey: caller.deviceKey, agentId })
    // A newer connection of the same agent may have replaced it.
    if (this.#held.get(agent)?.session !== session) return
    this.#held.delete(agent)
    void this.#unwritten.add(agent)
  }

  /** Ends the connection of an agent that has since dialled another server. */
  giveWayTo(newer: Lease): void {
    const own = this.#held.get(mapKey(newer))
    if (own !== undefined && own.lease.sinceMs < newer.sinceMs) own.session.takeOver()
  }

  async stop(): Promise<void> {
    await this.#unwritten.stop()
  }

  async #write(agents: readonly string[]): Promise<void> {
    await this.#options.store.write(
      agents.flatMap((agent) => this.#held.get(agent)?.lease ?? []),
      agents
        .filter((agent) => !this.#held.has(agent))
        .map((agent) => {
          const [deviceKey = '', agentId = ''] = agent.split(' ')
          return { deviceKey: Number(deviceKey), agentId }
        }),
    )
  }
}

const mapKey = ({ deviceKey, agentId }: Pick<OwnLease, 'deviceKey' | 'agentId'>): string =>
  `${deviceKey} ${agentId}`
