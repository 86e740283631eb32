import type { BlockList, Socket } from 'node:net'
import { portConnectionsPerAddress, portConnectionsPerIsland } from '@astropelago/contract/limits'
import { DomainError } from '../../../domain-error.ts'
import { CallLimit } from '../../../http/call-limit.ts'
import { isAmong } from '../../../http/rate-limits.ts'
import { StreamSlots } from '../../../http/stream-slots.ts'
import { StorageUnavailable } from '../../../storage/storage-error.ts'
import type { ReachableAgent, ReachableAgents } from '../agents/reachable-agents.ts'
import { carryStream, isWhole, joinStreams } from '../carry-stream.ts'
import type { FrameStream } from '../frames/frame-stream.ts'
import type { RelayBase } from '../relay-base.ts'
import type { ServedIslands } from '../served-islands.ts'
import { networkOf } from '../visitors/visitor-address.ts'
import type { Admissions, Entrants } from './admissions.ts'
import type { AdmissionsStore } from './admissions-store.ts'

/** On all ports of a server. Each costs two sockets' worth of memory and a stream of an agent. */
const connectionsMax = 5000
/** For one network. Further tries are refused without a query. */
const triesPerMinute = 300

interface Connection {
  readonly islandKey: number
  readonly ip: string
  readonly socket: Socket
  entrants: Entrants | undefined
  /** Whether something may have changed since it was last checked. */
  isStale: boolean
  isChecking: boolean
}

export function createPortVisitors(
  options: Pick<RelayBase, 'counts' | 'transfers'> & {
    readonly islands: Pick<ServedIslands, 'find'>
    readonly agents: Pick<ReachableAgents, 'whenThere' | 'wasThere'>
    readonly admissions: Pick<Admissions, 'entrantsAt' | 'stillEntrants'>
    readonly activeOf: AdmissionsStore['activeOf']
    /** @throws StorageUnavailable */
    readonly whenCurrent: () => Promise<void>
    readonly exempt: BlockList
    readonly onFailure: (error: unknown) => void
  },
) {
  const { islands, agents, admissions, counts, transfers } = options
  const byIsland = new Map<number, Set<Connection>>()
  const slots = new StreamSlots({ max: connectionsMax, perAddress: portConnectionsPerAddress })
  const tries = new CallLimit({ maxCalls: triesPerMinute, windowMs: 60_000 })

  const takeSlot = (islandKey: number, ip: string): (() => void) | undefined => {
    const isExempt = isAmong(options.exempt, ip)
    const network = networkOf(ip)
    if ((byIsland.get(islandKey)?.size ?? 0) >= portConnectionsPerIsland) return undefined
    if (!isExempt && tries.take(network) > 0) return undefined
    try {
      return slots.take(network, { isExempt })
    } catch (error) {
      if (error instanceof DomainError) return undefined
      throw error
    }
  }

  const entrantsOf = async ({ islandKey, ip, entrants }: Connection) => {
    if (entrants !== undefined) return await admissions.stillEntrants(islandKey, ip, entrants)
    await options.whenCurrent()
    return await admissions.entrantsAt(islandKey, ip)
  }

  const check = async (connection: Connection) => {
    if (connection.isChecking) return
    connection.isChecking = true
    try {
      while (connection.isStale && !connection.socket.destroyed) {
        connection.isStale = false
        connection.entrants = await entrantsOf(connection)
        if (connection.entrants === undefined) {
          counts.refuse('elsewhere')
          connection.socket.resetAndDestroy()
        }
      }
    } catch (error) {
      // If rights can't be read, no visitor is let in.
      connection.socket.resetAndDestroy()
      if (!(error instanceof StorageUnavailable)) options.onFailure(error)
    } finally {
      connection.isChecking = false
    }
  }

  const carry = ({ islandKey, socket }: Connection, agent: ReachableAgent) => {
    let stream: FrameStream | undefined
    let isOpen = false
    carryStream(
      {
        islandKey,
        transfers,
        counts,
        visitor: socket,
        cutVisitor: () => socket.resetAndDestroy(),
        until: socket,
        open: () => agent.open('tcp'),
        hasBegun: () => true,
      },
      (carried) => {
        stream = carried.stream
        counts.tcpConnections += 1
        joinStreams(socket, stream)
        stream.once('connect', () => {
          isOpen = true
          carried.mayRest()
        })
      },
      (why) => {
        if (socket.destroyed) return
        if (!isOpen) counts.refuse(why ?? (agent.isOpen ? 'broken' : 'agent-gone'))
        // Nobody may take a cut for a proper end.
        if (isOpen && stream !== undefined && isWhole(stream)) socket.destroySoon()
        else socket.resetAndDestroy()
      },
    )
  }

  const enter = async (connection: Connection) => {
    const { islandKey, socket } = connection
    await check(connection)
    const island = islands.find(islandKey)
    if (socket.destroyed || island === undefined) return
    const agent = await agents.whenThere(island)
    if (socket.destroyed) return
    if (agent === undefined) {
      counts.refuse(agents.wasThere(island) ? 'agent-gone' : 'closed')
      socket.resetAndDestroy()
      return
    }
    carry(connection, agent)
  }

  const cutAll = (islandKey: number) => {
    for (const { socket } of byIsland.get(islandKey) ?? []) socket.resetAndDestroy()
  }

  return {
    count: (): number => slots.taken,
    take: (islandKey: number, socket: Socket): void => {
      socket.on('error', () => socket.destroy())
      const ip = socket.remoteAddress
      // Undefined if it has closed already.
      const giveBack = ip === undefined ? undefined : takeSlot(islandKey, ip)
      if (ip === undefined || giveBack === undefined) {
        counts.refuse('busy')
        socket.resetAndDestroy()
        return
      }
      const state = { entrants: undefined, isStale: true, isChecking: false }
      const connection: Connection = { islandKey, ip, socket, ...state }
      const connections = byIsland.get(islandKey) ?? new Set()
      byIsland.set(islandKey, connections.add(connection))
      socket.once('close', () => {
        giveBack()
        connections.delete(connection)
        if (connections.size === 0) byIsland.delete(islandKey)
      })
      void enter(connection)
    },
    /** Call it when an island, or who may enter it, may have changed. */
    recheck: (islandKey: number): void => {
      for (const connection of byIsland.get(islandKey) ?? []) {
        connection.isStale = true
        void check(connection)
      }
    },
    /** Ends connections whose users' accounts are disabled or deleted. No event of an island reports that. */
    endInactive: async (): Promise<void> => {
      const connections = [...byIsland.values()].flatMap((ofIsland) => Array.from(ofIsland))
      const asked = new Set(connections.flatMap(({ entrants }) => usersOf(entrants)))
      if (asked.size === 0) return
      const active = new Set(await options.activeOf([...asked]))
      for (const connection of connections) {
        const users = usersOf(connection.entrants)
        // Users of connections that began meanwhile were not asked about.
        const left = users.filter((userKey) => active.has(userKey) || !asked.has(userKey))
        if (left.length === users.length) continue
        connection.entrants = left
        if (left.length === 0) connection.socket.resetAndDestroy()
      }
    },
    cutAll,
    stop: (): void => {
      for (const islandKey of byIsland.keys()) cutAll(islandKey)
      transfers.stop()
    },
  }
}

function usersOf(entrants: Entrants | undefined): readonly number[] {
  return entrants === undefined || entrants === 'everybody' ? [] : entrants
}
