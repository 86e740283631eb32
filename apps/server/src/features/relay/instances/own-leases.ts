import { KeyedQueue } from '../../../keyed-queue.ts'
import type { AgentSession } from '../agents/agent-session.ts'
import type { InstancesStore, Lease, OwnLease } from './instances-store.ts'

/** Delay after the database failed. */
const retryMs = 1000

interface OwnLeasesOptions {
  readonly store: Pick<InstancesStore, 'write'>
  readonly clock: () => number
  readonly noteFailure: (error: unknown) => void
}

/**
 * Records for other servers which agents are connected to this one. Changes that come during a write are
 * written together afterwards, so a thousand agents that connect at once take few transactions.
 */
export class OwnLeases {
  readonly #options: OwnLeasesOptions
  readonly #held = new Map<string, { readonly session: AgentSession; readonly lease: OwnLease }>()
  /** Names of agents whose lease in the database may be out of date. */
  readonly #unwritten: KeyedQueue<string>

  constructor(options: OwnLeasesOptions) {
    this.#options = options
    this.#unwritten = new KeyedQueue({
      run: (names) => this.#write([...names]),
      retryAfterMs: () => retryMs,
      onFailure: options.noteFailure,
    })
  }

  come(session: AgentSession): void {
    const { agentId, islandKey, caller } = session.identity
    const { deviceKey } = caller
    const sinceMs = this.#options.clock()
    const name = nameOf(deviceKey, agentId)
    this.#held.set(name, { session, lease: { deviceKey, agentId, islandKey, sinceMs } })
    void this.#unwritten.add(name)
  }

  go(session: AgentSession): void {
    const { agentId, caller } = session.identity
    const name = nameOf(caller.deviceKey, agentId)
    // A newer connection of the same agent may have replaced it.
    if (this.#held.get(name)?.session !== session) return
    this.#held.delete(name)
    void this.#unwritten.add(name)
  }

  /** Ends the connection of an agent that has since dialled another server. */
  giveWayTo({ deviceKey, agentId, sinceMs }: Lease): void {
    const own = this.#held.get(nameOf(deviceKey, agentId))
    if (own !== undefined && own.lease.sinceMs < sinceMs) own.session.takeOver()
  }

  /** Resolves when all changes are written, or have failed. */
  async stop(): Promise<void> {
    await this.#unwritten.stop()
  }

  async #write(names: readonly string[]): Promise<void> {
    await this.#options.store.write(
      names.flatMap((name) => this.#held.get(name)?.lease ?? []),
      names.filter((name) => !this.#held.has(name)).map(agentOf),
    )
  }
}

const nameOf = (deviceKey: number, agentId: string): string => `${deviceKey} ${agentId}`

function agentOf(name: string): Pick<OwnLease, 'deviceKey' | 'agentId'> {
  const [deviceKey = '', agentId = ''] = name.split(' ')
  return { deviceKey: Number(deviceKey), agentId }
}
