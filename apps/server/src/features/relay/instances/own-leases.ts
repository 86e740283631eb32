import type { AgentSession } from '../agents/agent-session.ts'
import type { InstancesStore, Lease, OwnLease } from './instances-store.ts'

/** After a database that did not take it. */
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
  /** Those of which the database may not know, or may know no more. */
  readonly #unwritten = new Map<string, Pick<OwnLease, 'deviceKey' | 'agentId'>>()
  #writing: Promise<void> | undefined
  #retry: NodeJS.Timeout | undefined

  constructor(options: OwnLeasesOptions) {
    this.#options = options
  }

  come(session: AgentSession): void {
    const { agentId, islandKey, caller } = session.identity
    const { deviceKey } = caller
    const sinceMs = this.#options.clock()
    this.#held.set(nameOf(session.identity.caller.deviceKey, agentId), {
      session,
      lease: { deviceKey, agentId, islandKey, sinceMs },
    })
    this.#note(deviceKey, agentId)
  }

  go(session: AgentSession): void {
    const { agentId, caller } = session.identity
    const name = nameOf(caller.deviceKey, agentId)
    // A newer connection of the same agent may be in its place.
    if (this.#held.get(name)?.session !== session) return
    this.#held.delete(name)
    this.#note(caller.deviceKey, agentId)
  }

  /** Lets go of an agent that has dialled another server since. */
  giveWayTo({ deviceKey, agentId, sinceMs }: Lease): void {
    const own = this.#held.get(nameOf(deviceKey, agentId))
    if (own !== undefined && own.lease.sinceMs < sinceMs) own.session.takeOver()
  }

  /** Resolves when what happened is written, or could not be. */
  async stop(): Promise<void> {
    clearTimeout(this.#retry)
    await this.#writing
    clearTimeout(this.#retry)
  }

  #note(deviceKey: number, agentId: string): void {
    this.#unwritten.set(nameOf(deviceKey, agentId), { deviceKey, agentId })
    this.#writing ??= this.#writeAll().finally(() => (this.#writing = undefined))
  }

  async #writeAll(): Promise<void> {
    // What else comes in this turn goes along.
    await Promise.resolve()
    while (this.#unwritten.size > 0) {
      const batch = [...this.#unwritten]
      this.#unwritten.clear()
      try {
        await this.#options.store.write(
          batch.flatMap(([name]) => this.#held.get(name)?.lease ?? []),
          batch.filter(([name]) => !this.#held.has(name)).map(([, agent]) => agent),
        )
      } catch (error) {
        this.#options.noteFailure(error)
        for (const [name, agent] of batch) this.#unwritten.set(name, agent)
        this.#retry = setTimeout(() => {
          this.#writing ??= this.#writeAll().finally(() => (this.#writing = undefined))
        }, retryMs)
        this.#retry.unref()
        return
      }
    }
  }
}

const nameOf = (deviceKey: number, agentId: string): string => `${deviceKey} ${agentId}`
