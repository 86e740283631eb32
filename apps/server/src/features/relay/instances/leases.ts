import type { Clock } from '../../../clock.ts'
import { KeyedQueue } from '../../../keyed-queue.ts'
import type { AgentSession } from '../agents/agent-session.ts'
import { createGoneAgents } from '../agents/agents.ts'
import type { CarriedIsland } from '../served-islands.ts'
import type { InstancesStore, Lease, LeaseChange, OwnLease } from './instances-store.ts'

const retryMs = 1000

/** Which agents other servers hold, as far as this one knows. */
export function createCachedLeases(clock: Clock, onChange: (deviceKey: number) => void) {
  const byDevice = new Map<number, Lease[]>()
  const gone = createGoneAgents(clock)
  /** Changes during `replace`, which its reading may not include. */
  let meanwhile: LeaseChange[] | undefined

  const set = (deviceKey: number, leases: Lease[]) => {
    const held = new Set(leases.map(({ islandKey }) => islandKey))
    for (const { islandKey } of byDevice.get(deviceKey) ?? []) {
      if (!held.has(islandKey)) gone.add({ deviceKey, islandKey })
    }
    for (const islandKey of held) gone.delete({ deviceKey, islandKey })
    if (leases.length > 0) byDevice.set(deviceKey, leases)
    else byDevice.delete(deviceKey)
    onChange(deviceKey)
  }

  const change = (changed: LeaseChange): void => {
    meanwhile?.push(changed)
    const { isHeld, ...lease } = changed
    const others = (byDevice.get(lease.deviceKey) ?? []).filter(
      ({ writer, agentId }) => writer !== lease.writer || agentId !== lease.agentId,
    )
    set(lease.deviceKey, isHeld ? [...others, lease] : others)
  }

  /** The leases of agents that carry the island, only the newest of each agent. */
  const leasesOf = ({ key, carrierKey }: CarriedIsland): readonly Lease[] => {
    const ofDevice = carrierKey === null ? undefined : byDevice.get(carrierKey)
    if (ofDevice === undefined) return []
    return ofDevice.filter(
      (lease) =>
        (lease.islandKey === null || lease.islandKey === key) &&
        !ofDevice.some((other) => other.agentId === lease.agentId && other.sinceMs > lease.sinceMs),
    )
  }

  return {
    of: leasesOf,
    goneSince: (island: CarriedIsland): number | undefined =>
      leasesOf(island).length > 0 ? undefined : gone.since(island),
    change,
    replace: async (read: () => Promise<readonly Lease[]>): Promise<void> => {
      meanwhile = []
      try {
        const leases = Map.groupBy(await read(), ({ deviceKey }) => deviceKey)
        for (const deviceKey of byDevice.keys()) if (!leases.has(deviceKey)) set(deviceKey, [])
        for (const [deviceKey, ofDevice] of leases) set(deviceKey, ofDevice)
        const changes = meanwhile
        meanwhile = undefined
        for (const changed of changes) change(changed)
      } finally {
        meanwhile = undefined
      }
    },
    deleteOld: (): void => gone.deleteOld(),
  }
}

/** Records own agents for other servers. Changes that come during a write are written together afterwards. */
export function createOwnLeases({
  store,
  clock,
  onFailure,
}: {
  readonly store: Pick<InstancesStore, 'write'>
  readonly clock: Clock
  readonly onFailure: (error: unknown) => void
}) {
  const held = new Map<string, { readonly session: AgentSession; readonly lease: OwnLease }>()
  const unwritten = new KeyedQueue<string>({
    run: async (keys) => {
      const agents = [...keys]
      const ended = agents.filter((agent) => !held.has(agent))
      await store.write(
        agents.flatMap((agent) => held.get(agent)?.lease ?? []),
        ended.map((agent) => {
          const [deviceKey = '', agentId = ''] = agent.split(' ')
          return { deviceKey: Number(deviceKey), agentId }
        }),
      )
    },
    retryAfterMs: () => retryMs,
    onFailure,
  })

  return {
    add: (session: AgentSession): void => {
      const { agentId, islandKey, caller } = session.identity
      const lease = { deviceKey: caller.deviceKey, agentId, islandKey, sinceMs: clock() }
      held.set(mapKey(lease), { session, lease })
      void unwritten.add(mapKey(lease))
    },
    delete: (session: AgentSession): void => {
      const { agentId, caller } = session.identity
      const agent = mapKey({ deviceKey: caller.deviceKey, agentId })
      // A newer connection of the same agent may have replaced it.
      if (held.get(agent)?.session !== session) return
      held.delete(agent)
      void unwritten.add(agent)
    },
    /** Ends the connection of an agent that has since dialled another server. */
    giveWayTo: (newer: Lease): void => {
      const own = held.get(mapKey(newer))
      if (own !== undefined && own.lease.sinceMs < newer.sinceMs) own.session.takeOver()
    },
    stop: (): Promise<void> => unwritten.stop(),
  }
}

const mapKey = ({ deviceKey, agentId }: Pick<OwnLease, 'deviceKey' | 'agentId'>): string =>
  `${deviceKey} ${agentId}`
