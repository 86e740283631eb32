import type { Clock } from '../../../clock.ts'
import { KeyedQueue } from '../../../keyed-queue.ts'
import type { AgentSession } from '../agents/agent-session.ts'
import type { InstancesStore, Lease, OwnLease } from './instances-store.ts'

/** Delay after the database failed. */
const retryMs = 1000

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
