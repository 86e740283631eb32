import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import * as v from 'valibot'
import { KeyedQueue } from '../../../keyed-queue.ts'
import type { Agents } from '../agents/agents.ts'
import type { ReachableAgent } from '../agents/reachable-agents.ts'
import type { RelayBase } from '../relay-base.ts'
import type { CarriedIsland } from '../relayed-islands.ts'
import type { Transfers } from '../visitors/transfers.ts'
import { answerInstead, carryHop } from './carry-hop.ts'
import { HopServer } from './hop-server.ts'
import { hopTargetHeader, newHopKey } from './hop-signature.ts'
import { Hops } from './hops.ts'
import { LeaseChange, type Instance, type InstancesStore } from './instances-store.ts'
import { createCachedLeases, createOwnLeases, type CachedLeases, type OwnLeases } from './leases.ts'

const deleteOldMs = 60_000
const refusedLogMs = 60_000

interface InstancesOptions extends RelayBase {
  readonly store: InstancesStore
  readonly agents: Agents
  readonly connections: Transfers
  readonly onAgents: () => void
  readonly onLeaseChange: (deviceKey: number) => void
}

/** The database says which server holds an agent. Each server hands visitors on to it in one hop. */
export class Instances {
  readonly hops: Hops
  readonly server: HopServer
  readonly own: OwnLeases
  readonly #options: InstancesOptions
  readonly #hopKey = newHopKey()
  readonly #leases: CachedLeases
  /** Servers without an address. If only they hold an island's agents, the operator has to fix that. */
  #unreachable: ReadonlySet<number> = new Set()
  readonly #readings: KeyedQueue<'all'>
  readonly #handled = new Map<number, number>()
  #isWarned = false
  #refusedLoggedMs = -Infinity

  constructor(options: InstancesOptions) {
    this.#options = options
    const { store, cluster, clock, log, schedule, onAgents } = options
    this.#leases = createCachedLeases(clock, options.onLeaseChange)
    this.#readings = new KeyedQueue({
      run: () => this.#read(),
      onFailure: (error) => log.warn({ err: error }, 'could not read the agents of other servers'),
    })
    this.own = createOwnLeases({
      store,
      clock,
      onFailure: (error) => log.warn({ err: error }, 'could not record agents for other servers'),
    })
    this.hops = new Hops({
      from: store.writer,
      clock,
      onChange: onAgents,
      onUnreachable: ({ writer, url }, error) =>
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
      onRefused: (what, address) => this.#countRefused(what, address),
    })
    cluster.onRow('relay-leases', ({ writer, number, details }) => {
      // Own rows need no handling. Rows that come again are old.
      if (number <= (this.#handled.get(writer) ?? 0)) return
      this.#handled.set(writer, number)
      for (const change of v.parse(v.array(LeaseChange), details)) this.#receive(change)
      onAgents()
    })
    cluster.onRow('relay-instances', () => this.#readAgain())
    cluster.onLives(() => void this.#readAgain())
    schedule.every(deleteOldMs, 'old agents were not removed', async () => this.#leases.deleteOld())
  }

  /** Call it before listening to other servers. */
  async join(): Promise<void> {
    const { store, config } = this.#options
    await store.join({ url: config.instanceUrl ?? null, hopKey: this.#hopKey })
    await this.#readAgain()
  }

  find(island: CarriedIsland): ReachableAgent | undefined {
    const { counts } = this.#options
    const hops = this.#leases.of(island).flatMap(({ writer }) => this.hops.to(writer) ?? [])
    const hop = hops[counts.hopsSent % hops.length]
    if (hop === undefined) return undefined
    return {
      get isOpen() {
        return hop.isOpen
      },
      takesConnect: true,
      request: (headers, options) => {
        counts.hopsSent += 1
        const target = `${island.key} ${island.carrierKey}`
        return hop.request({ ...headers, [hopTargetHeader]: target }, options)
      },
    }
  }

  isThere(island: CarriedIsland): boolean {
    return this.#leases.of(island).length > 0
  }

  goneSince(island: CarriedIsland): number | undefined {
    return this.#leases.goneSince(island)
  }

  isOutOfReach(island: CarriedIsland): boolean {
    const leases = this.#leases.of(island)
    return leases.length > 0 && leases.every(({ writer }) => this.#unreachable.has(writer))
  }

  /** Resolves when this server's agents have gone and other servers know that. */
  async stop(): Promise<void> {
    const { agents, store } = this.#options
    await Promise.all([agents.stop(), this.hops.stop()])
    await this.own.stop()
    // If the database does not answer, they find out by themselves.
    await store.leave().catch(() => undefined)
    await this.server.stop()
  }

  #receive(change: LeaseChange): void {
    if (change.writer === this.#options.store.writer) return
    this.#leases.change(change)
    if (change.isHeld) this.own.giveWayTo(change)
  }

  /** Failures are logged. The next reading makes up for them. */
  #readAgain(): Promise<void> {
    return this.#readings.add('all').catch(() => undefined)
  }

  async #read(): Promise<void> {
    const { store, cluster, onAgents } = this.#options
    let others: readonly Instance[] = []
    await this.#leases.replace(async () => {
      const { instances, leases } = await store.read()
      others = instances.filter(({ writer }) => writer !== store.writer && cluster.lives(writer))
      const living = new Set(others.map(({ writer }) => writer))
      return leases.filter(({ writer }) => living.has(writer))
    })
    this.#unreachable = new Set(
      others.filter(({ url }) => url === null).map(({ writer }) => writer),
    )
    this.hops.set(others)
    this.#warn(others)
    onAgents()
  }

  /** Hands it only to an agent on this server. A request takes at most one hop. */
  #carry(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const { islands, agents, transfers, connections, counts } = this.#options
    counts.hopsTaken += 1
    const [key = NaN, carrierKey = NaN] = String(headers[hopTargetHeader]).split(' ').map(Number)
    const island = islands.find(key)
    const session = island?.carrierKey === carrierKey ? agents.find({ key, carrierKey }) : undefined
    if (session === undefined) answerInstead(stream, 'gone')
    else carryHop(stream, headers, { session, islandKey: key, transfers, connections })
  }

  #warn(others: readonly Instance[]): void {
    const { config, log } = this.#options
    if (config.instanceUrl !== undefined || others.length === 0 || this.#isWarned) return
    this.#isWarned = true
    log.warn(
      'INSTANCE_URL is not set, and other servers share this database: their visitors can’t reach the ' +
        'agents that are connected to this server',
    )
  }

  #countRefused(what: 'connection' | 'request', address: string | undefined): void {
    const { counts, clock, log } = this.#options
    counts.hopsRefused[what] += 1
    const nowMs = clock()
    if (nowMs - this.#refusedLoggedMs < refusedLogMs) return
    this.#refusedLoggedMs = nowMs
    log.warn(
      { event: 'hop_refused', what, address },
      'refused a connection or request that no server on this database signed',
    )
  }
}
