import type { ServerHttp2Stream } from 'node:http2'
import type { FastifyBaseLogger } from 'fastify'
import * as v from 'valibot'
import type { Clock } from '../../../clock.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import { KeyedQueue } from '../../../keyed-queue.ts'
import type { Schedule } from '../../../schedule.ts'
import type { AgentSession } from '../agents/agent-session.ts'
import type { Agents } from '../agents/agents.ts'
import type { ReachableAgent } from '../agents/reachable-agents.ts'
import type { CarriedIsland, RelayedIslands } from '../relayed-islands.ts'
import type { Transfers } from '../visitors/transfers.ts'
import { AgentsAnywhere } from './agents-anywhere.ts'
import { answerInstead, carryHop } from './carry-hop.ts'
import type { HopConnection } from './hop-connection.ts'
import { HopServer } from './hop-server.ts'
import { hopTargetHeader, newHopKey } from './hop-signature.ts'
import { Hops } from './hops.ts'
import type { Instance, InstancesStore, Lease } from './instances-store.ts'
import { CachedLeases, LeaseChanges } from './cached-leases.ts'
import { OwnLeases } from './own-leases.ts'

const forgetMs = 60_000
/** Refusals are logged at most this often. */
const alertMs = 60_000

interface InstancesOptions {
  readonly store: InstancesStore
  readonly cluster: Cluster
  readonly clock: Clock
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  readonly schedule: Schedule
  readonly islands: Pick<RelayedIslands, 'find'>
  readonly agents: Agents
  readonly transfers: Transfers
  readonly connections: Transfers
  /** Calls the listener with each device whose agents on other servers may have changed. */
  readonly onLeaseChange: (deviceKey: number) => void
  /** Where other servers reach this one; undefined if they can't. */
  readonly url: string | undefined
}

export interface HopCounts {
  sent: number
  taken: number
  readonly refused: { connection: number; request: number }
}

/**
 * This server among those on the database. The database says which server holds an agent, and each server
 * hands visitors' requests on to it in one hop.
 */
export class Instances {
  readonly counts: HopCounts = { sent: 0, taken: 0, refused: { connection: 0, request: 0 } }
  readonly agents: AgentsAnywhere
  readonly hops: Hops
  readonly server: HopServer
  readonly #options: InstancesOptions
  readonly #hopKey = newHopKey()
  readonly #known: CachedLeases
  readonly #own: OwnLeases
  /**
   * Servers without an address. If only they hold an island's agents, visitors learn that the operator has
   * to fix it.
   */
  #unreached: ReadonlySet<number> = new Set()
  /** Reads all instances and leases. Calls during a reading get the next one. */
  readonly #readings: KeyedQueue<'all'>
  /** By server, the number of its last change that was handled. */
  readonly #heard = new Map<number, number>()
  #isWarned = false
  #toldMs = -Infinity

  constructor(options: InstancesOptions) {
    this.#options = options
    const { store, cluster, clock, log, schedule, agents } = options
    this.#known = new CachedLeases(clock, options.onLeaseChange)
    this.#readings = new KeyedQueue({
      run: () => this.#read(),
      onFailure: (error) => log.warn({ err: error }, 'could not read the agents of other servers'),
    })
    this.#own = new OwnLeases({
      store,
      clock,
      noteFailure: (error) => log.warn({ err: error }, 'could not record agents for other servers'),
    })
    this.agents = new AgentsAnywhere(
      agents,
      {
        find: (island) => this.#find(island),
        isThere: (island) => this.#known.of(island).length > 0,
        isOutOfReach: (island) => this.#isOutOfReach(island),
        goneSince: (island) => this.#known.goneSince(island),
      },
      clock,
    )
    this.hops = new Hops({
      from: store.writer,
      clock,
      onChange: () => this.agents.lookAgain(),
      noteFailure: ({ writer, url }, error) =>
        log.warn(
          { err: error, server: writer, url },
          'another server can’t be reached at its INSTANCE_URL: this server’s visitors can’t reach its agents',
        ),
    })
    this.server = new HopServer({
      writer: store.writer,
      hopKey: this.#hopKey,
      clock,
      carry: (stream, headers) => this.#carry(stream, headers),
      noteRefused: (what, address) => this.#noteRefused(what, address),
    })
    cluster.onRow('relay-leases', ({ writer, number, details }) => {
      // Own rows need no handling. Rows that come again are old.
      if (number <= (this.#heard.get(writer) ?? 0)) return
      this.#heard.set(writer, number)
      for (const change of v.parse(LeaseChanges, details)) this.#hear(change)
      this.agents.lookAgain()
    })
    cluster.onRow('relay-instances', () => this.#readAgain())
    cluster.onLives(() => void this.#readAgain())
    schedule.every(forgetMs, 'old agents were not removed', async () => this.#known.forgetOld())
  }

  /** Call it before listening to other servers. */
  async join(): Promise<void> {
    const { store, url = null } = this.#options
    await store.join({ url, hopKey: this.#hopKey })
    await this.#readAgain()
  }

  readonly come = (session: AgentSession): void => {
    this.#own.come(session)
    this.agents.lookAgain()
  }

  readonly go = (session: AgentSession): void => this.#own.go(session)

  /** Resolves when this server's agents have gone and other servers know that. */
  async stop(): Promise<void> {
    const { agents, store } = this.#options
    this.agents.stop()
    await Promise.all([agents.stop(), this.hops.stop()])
    await this.#own.stop()
    // If the database does not answer, they find out by themselves.
    await store.leave().catch(() => undefined)
    await this.server.stop()
  }

  #hear(change: Lease & { readonly isHeld: boolean }): void {
    const { store } = this.#options
    if (change.writer === store.writer) return
    this.#known.change(change)
    if (change.isHeld) this.#own.giveWayTo(change)
  }

  /** Failures are logged. The next reading makes up for them. */
  #readAgain(): Promise<void> {
    return this.#readings.add('all').catch(() => undefined)
  }

  async #read(): Promise<void> {
    const { store, cluster } = this.#options
    let others: readonly Instance[] = []
    await this.#known.replace(async () => {
      const { instances, leases } = await store.read()
      others = instances.filter(({ writer }) => writer !== store.writer && cluster.lives(writer))
      const living = new Set(others.map(({ writer }) => writer))
      return leases.filter(({ writer }) => living.has(writer))
    })
    this.#unreached = new Set(others.filter(({ url }) => url === null).map(({ writer }) => writer))
    this.hops.set(others)
    this.#warn(others)
    this.agents.lookAgain()
  }

  #find(island: CarriedIsland): ReachableAgent | undefined {
    const ways = this.#known.of(island).flatMap(({ writer }) => this.hops.to(writer) ?? [])
    const way = ways[this.counts.sent % ways.length]
    return way === undefined ? undefined : this.#agentOver(way, island)
  }

  #agentOver(hop: HopConnection, { key, carrierKey }: CarriedIsland): ReachableAgent {
    const { counts } = this
    return {
      get isOpen() {
        return hop.isOpen
      },
      takesConnect: true,
      request: (headers, options) => {
        counts.sent += 1
        return hop.request({ ...headers, [hopTargetHeader]: `${key} ${carrierKey}` }, options)
      },
    }
  }

  #isOutOfReach(island: CarriedIsland): boolean {
    const leases = this.#known.of(island)
    return leases.length > 0 && leases.every(({ writer }) => this.#unreached.has(writer))
  }

  /** Hands it only to an agent on this server. A request takes at most one hop. */
  #carry(stream: ServerHttp2Stream, headers: Parameters<typeof carryHop>[1]): void {
    const { islands, agents, transfers, connections } = this.#options
    this.counts.taken += 1
    const [key = NaN, carrierKey = NaN] = String(headers[hopTargetHeader]).split(' ').map(Number)
    const island = islands.find(key)
    const session = island?.carrierKey === carrierKey ? agents.find({ key, carrierKey }) : undefined
    if (session === undefined) answerInstead(stream, 'gone')
    else carryHop(stream, headers, { session, islandKey: key, transfers, connections })
  }

  #warn(others: readonly Instance[]): void {
    const { url, log } = this.#options
    if (url !== undefined || others.length === 0 || this.#isWarned) return
    this.#isWarned = true
    log.warn(
      'INSTANCE_URL is not set, and other servers share this database: their visitors can’t reach the ' +
        'agents that are connected to this server',
    )
  }

  #noteRefused(what: 'connection' | 'request', address: string | undefined): void {
    this.counts.refused[what] += 1
    const nowMs = this.#options.clock()
    if (nowMs - this.#toldMs < alertMs) return
    this.#toldMs = nowMs
    this.#options.log.warn(
      { event: 'hop_refused', what, address },
      'refused a connection or request that no server on this database signed',
    )
  }
}
