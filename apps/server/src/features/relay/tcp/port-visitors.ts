import type { BlockList, Socket } from 'node:net'
import { portConnectionsPerAddress, portConnectionsPerIsland } from '@astropelago/contract/limits'
import { DomainError } from '../../../domain-error.ts'
import { CallLimit } from '../../../http/call-limit.ts'
import { isAmong } from '../../../http/rate-limits.ts'
import { StreamSlots } from '../../../http/stream-slots.ts'
import { StorageUnavailable } from '../../../storage/storage-error.ts'
import type { ReachableAgents } from '../agents/reachable-agents.ts'
import type { RelayCounts } from '../relay-counts.ts'
import type { RelayedIslands } from '../relayed-islands.ts'
import type { Transfers } from '../visitors/transfers.ts'
import { networkOf, type Admissions, type Entrants } from './admissions.ts'
import { carryConnection } from './carry-connection.ts'

/**
 * On all ports of a server. Each connection costs two sockets' worth of memory and a stream of an agent.
 */
const connectionsMax = 5000
/** For one network. Further tries are refused without a query. */
const triesPerMinute = 300

interface PortVisitorsOptions {
  readonly islands: Pick<RelayedIslands, 'find'>
  readonly agents: Pick<ReachableAgents, 'whenThere' | 'wasThere'>
  readonly admissions: Pick<Admissions, 'entrantsAt' | 'stillEntrants'>
  /** Those of these users whose accounts exist and are not disabled. */
  readonly activeOf: (userKeys: readonly number[]) => Promise<readonly number[]>
  /**
   * Resolves when the cache is fresh enough to let somebody in.
   * @throws StorageUnavailable
   */
  readonly whenCurrent: () => Promise<void>
  /** Its own, so that games and web pages do not take room from each other. */
  readonly transfers: Transfers
  readonly counts: RelayCounts
  /** Addresses that no limit applies to. */
  readonly exempt: BlockList
  readonly noteFailure: (error: unknown) => void
}

interface Grant {
  readonly islandKey: number
  readonly ip: string
  readonly socket: Socket
  /** Undefined until it is let in. */
  entrants: Entrants | undefined
  /** Whether something may have changed since the visit was last judged. */
  isStale: boolean
  isJudged: boolean
}

/** Connections to the ports of islands, from the first packet to the last. */
export class PortVisitors {
  readonly #options: PortVisitorsOptions
  readonly #visits = new Map<number, Set<Grant>>()
  readonly #slots = new StreamSlots({ max: connectionsMax, perAddress: portConnectionsPerAddress })
  readonly #tries = new CallLimit({ maxCalls: triesPerMinute, windowMs: 60_000 })

  constructor(options: PortVisitorsOptions) {
    this.#options = options
  }

  get count(): number {
    return this.#slots.taken
  }

  /** Takes a connection from which nothing was read yet. */
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
    const visit: Grant = {
      islandKey,
      ip,
      socket,
      entrants: undefined,
      isStale: true,
      isJudged: false,
    }
    const visits = this.#visits.get(islandKey) ?? new Set()
    this.#visits.set(islandKey, visits.add(visit))
    socket.once('close', () => {
      giveBack()
      visits.delete(visit)
      if (visits.size === 0) this.#visits.delete(islandKey)
    })
    void this.#enter(visit)
  }

  /** Call it when an island, or who may enter it, may have changed. */
  lookAgain(islandKey: number): void {
    for (const visit of this.#visits.get(islandKey) ?? []) {
      visit.isStale = true
      void this.#judge(visit)
    }
  }

  /** Ends connections whose users' accounts are disabled or deleted. No event of an island reports that. */
  async endInactive(): Promise<void> {
    const visits = [...this.#visits.values()].flatMap((ofIsland) => Array.from(ofIsland))
    const asked = new Set(visits.flatMap(({ entrants }) => usersOf(entrants)))
    if (asked.size === 0) return
    const active = new Set(await this.#options.activeOf([...asked]))
    for (const visit of visits) {
      const users = usersOf(visit.entrants)
      // Users of visits that began meanwhile were not asked about.
      const left = users.filter((userKey) => active.has(userKey) || !asked.has(userKey))
      if (left.length === users.length) continue
      visit.entrants = left
      if (left.length === 0) visit.socket.resetAndDestroy()
    }
  }

  /** Ends all connections to an island's port. */
  cutAll(islandKey: number): void {
    for (const { socket } of this.#visits.get(islandKey) ?? []) socket.resetAndDestroy()
  }

  stop(): void {
    for (const islandKey of this.#visits.keys()) this.cutAll(islandKey)
    this.#options.transfers.stop()
  }

  #takeSlot(islandKey: number, ip: string): (() => void) | undefined {
    const { exempt } = this.#options
    const isExempt = isAmong(exempt, ip)
    const network = networkOf(ip)
    if ((this.#visits.get(islandKey)?.size ?? 0) >= portConnectionsPerIsland) return undefined
    if (!isExempt && this.#tries.take(network) > 0) return undefined
    try {
      return this.#slots.take(network, { isExempt })
    } catch (error) {
      if (error instanceof DomainError) return undefined
      throw error
    }
  }

  async #enter(visit: Grant): Promise<void> {
    const { islands, agents, transfers, counts } = this.#options
    const { islandKey, socket } = visit
    await this.#judge(visit)
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

  /** Ends a visit that is not, or no longer, let in. */
  async #judge(visit: Grant): Promise<void> {
    if (visit.isJudged) return
    visit.isJudged = true
    try {
      while (visit.isStale && !visit.socket.destroyed) {
        visit.isStale = false
        visit.entrants = await this.#entrantsOf(visit)
        if (visit.entrants === undefined) {
          this.#options.counts.refuse('elsewhere')
          visit.socket.resetAndDestroy()
        }
      }
    } catch (error) {
      // If rights can't be read, nobody is let in.
      visit.socket.resetAndDestroy()
      if (!(error instanceof StorageUnavailable)) this.#options.noteFailure(error)
    } finally {
      visit.isJudged = false
    }
  }

  async #entrantsOf({ islandKey, ip, entrants }: Grant): Promise<Entrants | undefined> {
    const { admissions, whenCurrent } = this.#options
    if (entrants !== undefined) return await admissions.stillEntrants(islandKey, ip, entrants)
    await whenCurrent()
    return await admissions.entrantsAt(islandKey, ip)
  }
}

function usersOf(entrants: Entrants | undefined): readonly number[] {
  return entrants === undefined || entrants === 'everybody' ? [] : entrants
}
