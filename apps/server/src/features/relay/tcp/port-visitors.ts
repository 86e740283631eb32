import type { BlockList, Socket } from 'node:net'
import { portConnectionsPerAddress, portConnectionsPerIsland } from '@astropelago/contract/limits'
import { DomainError } from '../../../domain-error.ts'
import { CallLimit } from '../../../http/call-limit.ts'
import { isAmong } from '../../../http/rate-limits.ts'
import { StreamSlots } from '../../../http/stream-slots.ts'
import { StorageUnavailable } from '../../../storage/storage-error.ts'
import type { ReachableAgents } from '../agents/reachable-agents.ts'
import type { RelayBase } from '../relay-base.ts'
import type { RelayedIslands } from '../relayed-islands.ts'
import { networkOf } from '../visitors/visitor-address.ts'
import type { Admissions, Entrants } from './admissions.ts'
import type { AdmissionsStore } from './admissions-store.ts'
import { carryConnection } from './carry-connection.ts'

/** On all ports of a server. Each costs two sockets' worth of memory and a stream of an agent. */
const connectionsMax = 5000
/** For one network. Further tries are refused without a query. */
const triesPerMinute = 300

interface PortVisitorsOptions extends Pick<RelayBase, 'counts' | 'transfers'> {
  readonly islands: Pick<RelayedIslands, 'find'>
  readonly agents: Pick<ReachableAgents, 'whenThere' | 'wasThere'>
  readonly admissions: Pick<Admissions, 'entrantsAt' | 'stillEntrants'>
  readonly activeOf: AdmissionsStore['activeOf']
  /** @throws StorageUnavailable */
  readonly whenCurrent: () => Promise<void>
  readonly exempt: BlockList
  readonly onFailure: (error: unknown) => void
}

interface Connection {
  readonly islandKey: number
  readonly ip: string
  readonly socket: Socket
  /** Undefined until it is let in. */
  entrants: Entrants | undefined
  /** Whether something may have changed since it was last checked. */
  isStale: boolean
  isChecking: boolean
}

/** Connections to the ports of islands, from the first packet to the last. */
export class PortVisitors {
  readonly #options: PortVisitorsOptions
  readonly #byIsland = new Map<number, Set<Connection>>()
  readonly #slots = new StreamSlots({ max: connectionsMax, perAddress: portConnectionsPerAddress })
  readonly #tries = new CallLimit({ maxCalls: triesPerMinute, windowMs: 60_000 })

  constructor(options: PortVisitorsOptions) {
    this.#options = options
  }

  get count(): number {
    return this.#slots.taken
  }

  take(islandKey: number, socket: Socket): void {
    socket.on('error', () => socket.destroy())
    const ip = socket.remoteAddress
    // Undefined if it has closed already.
    const giveBack = ip === undefined ? undefined : this.#takeSlot(islandKey, ip)
    if (ip === undefined || giveBack === undefined) {
      this.#options.counts.refuse('busy')
      socket.resetAndDestroy()
      return
    }
    const state = { entrants: undefined, isStale: true, isChecking: false }
    const connection: Connection = { islandKey, ip, socket, ...state }
    const connections = this.#byIsland.get(islandKey) ?? new Set()
    this.#byIsland.set(islandKey, connections.add(connection))
    socket.once('close', () => {
      giveBack()
      connections.delete(connection)
      if (connections.size === 0) this.#byIsland.delete(islandKey)
    })
    void this.#enter(connection)
  }

  /** Call it when an island, or who may enter it, may have changed. */
  recheck(islandKey: number): void {
    for (const connection of this.#byIsland.get(islandKey) ?? []) {
      connection.isStale = true
      void this.#check(connection)
    }
  }

  /** Ends connections whose users' accounts are disabled or deleted. No event of an island reports that. */
  async endInactive(): Promise<void> {
    const connections = [...this.#byIsland.values()].flatMap((ofIsland) => Array.from(ofIsland))
    const asked = new Set(connections.flatMap(({ entrants }) => usersOf(entrants)))
    if (asked.size === 0) return
    const active = new Set(await this.#options.activeOf([...asked]))
    for (const connection of connections) {
      const users = usersOf(connection.entrants)
      // Users of connections that began meanwhile were not asked about.
      const left = users.filter((userKey) => active.has(userKey) || !asked.has(userKey))
      if (left.length === users.length) continue
      connection.entrants = left
      if (left.length === 0) connection.socket.resetAndDestroy()
    }
  }

  cutAll(islandKey: number): void {
    for (const { socket } of this.#byIsland.get(islandKey) ?? []) socket.resetAndDestroy()
  }

  stop(): void {
    for (const islandKey of this.#byIsland.keys()) this.cutAll(islandKey)
    this.#options.transfers.stop()
  }

  #takeSlot(islandKey: number, ip: string): (() => void) | undefined {
    const isExempt = isAmong(this.#options.exempt, ip)
    const network = networkOf(ip)
    if ((this.#byIsland.get(islandKey)?.size ?? 0) >= portConnectionsPerIsland) return undefined
    if (!isExempt && this.#tries.take(network) > 0) return undefined
    try {
      return this.#slots.take(network, { isExempt })
    } catch (error) {
      if (error instanceof DomainError) return undefined
      throw error
    }
  }

  async #enter(connection: Connection): Promise<void> {
    const { islands, agents, transfers, counts } = this.#options
    const { islandKey, socket } = connection
    await this.#check(connection)
    const island = islands.find(islandKey)
    if (socket.destroyed || island === undefined) return
    const agent = await agents.whenThere(island)
    if (socket.destroyed) return
    if (agent === undefined) {
      counts.refuse(agents.wasThere(island) ? 'agent-gone' : 'closed')
      socket.resetAndDestroy()
      return
    }
    carryConnection({ socket, agent, islandKey, transfers, counts })
  }

  async #check(connection: Connection): Promise<void> {
    if (connection.isChecking) return
    connection.isChecking = true
    try {
      while (connection.isStale && !connection.socket.destroyed) {
        connection.isStale = false
        connection.entrants = await this.#entrantsOf(connection)
        if (connection.entrants === undefined) {
          this.#options.counts.refuse('elsewhere')
          connection.socket.resetAndDestroy()
        }
      }
    } catch (error) {
      // If rights can't be read, nobody is let in.
      connection.socket.resetAndDestroy()
      if (!(error instanceof StorageUnavailable)) this.#options.onFailure(error)
    } finally {
      connection.isChecking = false
    }
  }

  async #entrantsOf({ islandKey, ip, entrants }: Connection): Promise<Entrants | undefined> {
    const { admissions, whenCurrent } = this.#options
    if (entrants !== undefined) return await admissions.stillEntrants(islandKey, ip, entrants)
    await whenCurrent()
    return await admissions.entrantsAt(islandKey, ip)
  }
}

function usersOf(entrants: Entrants | undefined): readonly number[] {
  return entrants === undefined || entrants === 'everybody' ? [] : entrants
}
