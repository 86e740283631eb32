import { KeyedQueue } from '../../../keyed-queue.ts'
import type { AgentSession } from '../agents/agent-session.ts'
import type { InstancesStore, Lease, OwnLease } from './instances-store.ts'

/** After the database refused. */
const retryMs = 1000

interface OwnLeasesOptions {
  readonly store: Pick<InstancesStore, 'write'>
  readonly clock: () => number
  readonly noteFailure: (error: unknown) => void
}

/**
 * Tells other servers which agents are connected to this one. What comes while something is written is written
 * together after it: a thousand agents that come at once take few transactions.
 */
export class OwnLeases {
  readonly #options: OwnLeasesOptions
  readonly #held = new Map<string, { readonly session: AgentSession; readonly lease: OwnLease }>()
  /** Agents whose lease in the database may differ from what is held here, by name. */
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
    // A newer connection of the same agent may be in its place.
    if (this.#held.get(name)?.session !== session) return
    this.#held.delete(name)
    void this.#unwritten.add(name)
  }

  /** Lets go of an agent that has dialled another server since. */
  giveWayTo({ deviceKey, agentId, sinceMs }: Lease): void {
    const own = this.#held.get(nameOf(deviceKey, agentId))
    if (own !== undefined && own.lease.sinceMs < sinceMs) own.session.takeOver()
  }

  /** Resolves when what happened is written, or could not be. */
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
