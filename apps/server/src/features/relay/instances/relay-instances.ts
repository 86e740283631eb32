import { createInterface } from 'node:readline'
import * as v from 'valibot'
import type { InstanceNotices } from '../../../cluster/instance-notices.ts'
import { KeyedQueue } from '../../../keyed-queue.ts'
import type { Agents } from '../agents/agents.ts'
import type { ReachableAgent } from '../agents/reachable-agents.ts'
import { carryStream, joinStreams } from '../carry-stream.ts'
import type { FrameStream } from '../frames/frame-stream.ts'
import type { RelayBase } from '../relay-base.ts'
import type { CarriedIsland } from '../served-islands.ts'
import type { Transfers } from '../visitors/transfers.ts'
import { hopResetWord } from '../visitors/visitor-states.ts'
import { newHopKey } from './hop-greeting.ts'
import { assignmentKind, noticesKind } from './hop-connection.ts'
import { HopServer } from './hop-server.ts'
import { Hops } from './hops.ts'
import { LeaseChange, type Instance, type InstancesStore } from './instances-store.ts'
import { createCachedLeases, createOwnLeases } from './leases.ts'

const deleteOldMs = 60_000
const refusedLogMs = 60_000

/** The database says which server holds an agent. Each server hands visitors on to it in one hop. */
export function createRelayInstances(
  options: RelayBase & {
    readonly store: InstancesStore
    readonly agents: Agents
    readonly connections: Transfers
    readonly notices: InstanceNotices
    /** Answers what another server asks of an agent that lends. */
    readonly answerLook: (question: string) => Promise<string>
    readonly onAgents: () => void
    readonly onLeaseChange: (deviceKey: number) => void
  },
) {
  const { store, cluster, clock, log, config, agents, islands, counts, notices, onAgents } = options
  const { writer: self } = store
  const hopKey = newHopKey()
  const handled = new Map<number, number>()
  /** Servers without an address. If only they hold an island's agents, the operator has to fix that. */
  let unreachable: ReadonlySet<number> = new Set()
  let isWarned = false
  let refusedLoggedMs = -Infinity

  const leases = createCachedLeases(clock, options.onLeaseChange)
  const own = createOwnLeases({
    store,
    clock,
    onFailure: (error) => log.warn({ err: error }, 'could not record agents for other servers'),
  })
  const hops = new Hops({
    from: self,
    clock,
    notices,
    onChange: onAgents,
    onUnreachable: ({ writer, url }, error) =>
      log.warn(
        { err: error, server: writer, url },
        'another server can’t be reached at its INSTANCE_URL: this server’s visitors can’t reach its agents',
      ),
  })

  const takeNotices = (from: FrameStream, writer: number) => {
    const { take, end } = notices.receive(writer)
    from.accept()
    createInterface({ input: from }).on('line', take)
    from.once('end', () => from.end()).once('close', end)
  }

  const takeLook = (from: FrameStream) => {
    from.on('error', () => undefined).accept()
    createInterface({ input: from }).once('line', (question) => {
      void options.answerLook(question).then((answer) => from.end(answer))
    })
  }

  /** Hands it only to an agent on this server. A stream takes at most one hop. */
  const carry = (from: FrameStream) => {
    const [kind, ...keys] = from.text.split(' ')
    const [key = NaN, carrierKey = NaN] = keys.map(Number)
    if (kind === noticesKind) {
      takeNotices(from, key)
      return
    }
    if (kind === assignmentKind) {
      takeLook(from)
      return
    }
    counts.hopsTaken += 1
    const island = islands.find(key)
    const session = island?.carrierKey === carrierKey ? agents.find({ key, carrierKey }) : undefined
    if (session === undefined) {
      from.reset('gone')
      return
    }
    let to: FrameStream | undefined
    carryStream(
      {
        islandKey: key,
        // Connections to islands' ports take no room from pages.
        transfers: kind === 'tcp' ? options.connections : options.transfers,
        visitor: from,
        until: from,
        open: () => session.open(kind === 'tcp' ? 'tcp' : 'http'),
        hasBegun: () => true,
      },
      (carried) => {
        to = carried.stream
        // The visitor's own server decides whether it is stuck.
        carried.mayRest()
        const accept = () => from.accept(JSON.stringify(session.identity.service))
        // Requests need to know the service first. A port's visitor learns whether the service accepts.
        if (kind === 'tcp') to.once('connect', accept)
        else accept()
        joinStreams(from, to)
      },
      (why) => {
        if (to === undefined) from.reset(why === 'busy' ? 'busy' : 'gone')
        // What it sent is whole and may still be on its way, even if it reads no more.
        else if (to.readableEnded) from.destroySoon()
        else if (to.resetWord !== '') from.reset(hopResetWord(to.resetWord))
        else from.reset(session.isOpen ? 'reset' : 'gone')
      },
    )
  }

  const server = new HopServer({
    writer: self,
    hopKey,
    clock,
    carry,
    onRefused: (address) => {
      counts.hopsRefused += 1
      const nowMs = clock()
      if (nowMs - refusedLoggedMs < refusedLogMs) return
      refusedLoggedMs = nowMs
      log.warn(
        { event: 'hop_refused', address },
        'refused a connection that no server on this database signed',
      )
    },
  })

  const warn = (others: readonly Instance[]) => {
    if (config.instanceUrl !== undefined || others.length === 0 || isWarned) return
    isWarned = true
    log.warn(
      'INSTANCE_URL is not set, and other servers share this database: their visitors can’t reach the ' +
        'agents that are connected to this server',
    )
  }

  const read = async () => {
    let others: readonly Instance[] = []
    await leases.replace(async () => {
      const found = await store.read()
      others = found.instances.filter(({ writer }) => writer !== self && cluster.lives(writer))
      const living = new Set(others.map(({ writer }) => writer))
      return found.leases.filter(({ writer }) => living.has(writer))
    })
    unreachable = new Set(others.filter(({ url }) => url === null).map(({ writer }) => writer))
    hops.set(others)
    warn(others)
    onAgents()
  }
  const readings = new KeyedQueue<'all'>({
    run: read,
    onFailure: (error) => log.warn({ err: error }, 'could not read the agents of other servers'),
  })
  /** Failures are logged. The next reading makes up for them. */
  const readAgain = () => readings.add('all').catch(() => undefined)

  cluster.onRow('relay-leases', ({ writer, number, details }) => {
    // Own rows need no handling. Rows that come again are old.
    if (number <= (handled.get(writer) ?? 0)) return
    handled.set(writer, number)
    for (const change of v.parse(v.array(LeaseChange), details)) {
      if (change.writer === self) continue
      leases.change(change)
      if (change.isHeld) own.giveWayTo(change)
    }
    onAgents()
  })
  cluster.onRow('relay-instances', readAgain)
  cluster.onLives(() => void readAgain())
  options.schedule.every(deleteOldMs, 'old agents were not removed', async () => leases.deleteOld())

  return {
    hops,
    server,
    own,
    /** Call it before listening to other servers. */
    join: async (): Promise<void> => {
      await store.join({ url: config.instanceUrl ?? null, hopKey })
      await readAgain()
    },
    find: (island: CarriedIsland): ReachableAgent | undefined => {
      const held = leases.of(island).flatMap(({ writer }) => hops.to(writer) ?? [])
      const hop = held[counts.hopsSent % held.length]
      if (hop === undefined || island.carrierKey === null) return undefined
      const target = { key: island.key, carrierKey: island.carrierKey }
      return hop.agentOf(target, () => (counts.hopsSent += 1))
    },
    isThere: (island: CarriedIsland): boolean => leases.of(island).length > 0,
    goneSince: leases.goneSince,
    isOutOfReach: (island: CarriedIsland): boolean => {
      const held = leases.of(island)
      return held.length > 0 && held.every(({ writer }) => unreachable.has(writer))
    },
    /** Resolves when this server's agents have gone and other servers know that. */
    stop: async (): Promise<void> => {
      // Otherwise streams that other servers keep would hold up this server's agents.
      server.leave()
      await Promise.all([agents.stop(), hops.stop()])
      await own.stop()
      // If the database does not answer, they find out by themselves.
      await store.leave().catch(() => undefined)
      await server.stop()
    },
  }
}
