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

/** On all ports of a server: each costs two sockets' worth of memory, and a stream of an agent. */
const connectionsMax = 5000
/** Of one address; whoever tries more often learns nothing, and asks nothing of the database. */
const triesPerMinute = 300

interface PortVisitorsOptions {
  readonly islands: Pick<RelayedIslands, 'find'>
  readonly agents: Pick<ReachableAgents, 'whenThere' | 'wasThere'>
  readonly admissions: Pick<Admissions, 'entrantsAt' | 'stillEntrants'>
  /** Those of these users whose accounts are there and on. */
  readonly activeOf: (userKeys: readonly number[]) => Promise<readonly number[]>
  /** Resolves when what memory holds is new enough to let somebody in. @throws StorageUnavailable */
  readonly whenCurrent: () => Promise<void>
  /** Of their own, so that games and web pages take no room from each other. */
  readonly transfers: Transfers
  readonly counts: RelayCounts
  /** Addresses that no limit applies to. */
  readonly exempt: BlockList
  readonly noteFailure: (error: unknown) => void
}

interface Visit {
  readonly islandKey: number
  readonly ip: string
  readonly socket: Socket
  /** Undefined until it is let in. */
  entrants: Entrants | undefined
  /** Whether something may have changed since it was asked who it is. */
  isStale: boolean
  isJudged: boolean
}

/** Whoever connects to the port of an island, from the first packet to the last. */
export class PortVisitors {
  readonly #options: PortVisitorsOptions
  readonly #visits = new Map<number, Set<Visit>>()
  readonly #slots = new StreamSlots({ max: connectionsMax, perAddress: portConnectionsPerAddress })
  readonly #tries = new CallLimit({ maxCalls: triesPerMinute, windowMs: 60_000 })

  constructor(options: PortVisitorsOptions) {
    this.#options = options
  }

  get count(): number {
    return this.#slots.taken
  }

  /** Takes a connection that nothing was read from yet. */
  take(islandKey: number, socket: Socket): void {
    socket.on('error', () => socket.destroy())
    const ip = socket.remoteAddress
    // Undefined for one that has gone already.
    const giveBack = ip === undefined ? undefined : this.#takeSlot(islandKey, ip)
    if (ip === undefined || giveBack === undefined) {
      this.#options.counts.refuse('busy')
      socket.resetAndDestroy()
      return
    }
    const visit: Visit = {
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

  /** To be called when an island, or who may enter it, may have changed. */
  lookAgain(islandKey: number): void {
    for (const visit of this.#visits.get(islandKey) ?? []) {
      visit.isStale = true
      void this.#judge(visit)
    }
  }

  /** Ends what came in for the sake of users whose accounts are off or gone, which no island tells of. */
  async endInactive(): Promise<void> {
    const visits = [...this.#visits.values()].flatMap((ofIsland) => Array.from(ofIsland))
    const asked = new Set(visits.flatMap(({ entrants }) => usersOf(entrants)))
    if (asked.size === 0) return
    const active = new Set(await this.#options.activeOf([...asked]))
    for (const visit of visits) {
      const users = usersOf(visit.entrants)
      // Of whom came in meanwhile nothing was asked.
      const left = users.filter((userKey) => active.has(userKey) || !asked.has(userKey))
      if (left.length === users.length) continue
      visit.entrants = left
      if (left.length === 0) visit.socket.resetAndDestroy()
    }
  }

  /** Ends all that an island's visitors do. */
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

  async #enter(visit: Visit): Promise<void> {
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

  /** Ends a visit that is not let in, or no more. */
  async #judge(visit: Visit): Promise<void> {
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
      // Who can't be asked lets nobody in.
      visit.socket.resetAndDestroy()
      if (!(error instanceof StorageUnavailable)) this.#options.noteFailure(error)
    } finally {
      visit.isJudged = false
    }
  }

  async #entrantsOf({ islandKey, ip, entrants }: Visit): Promise<Entrants | undefined> {
    const { admissions, whenCurrent } = this.#options
    if (entrants !== undefined) return await admissions.stillEntrants(islandKey, ip, entrants)
    await whenCurrent()
    return await admissions.entrantsAt(islandKey, ip)
  }
}

function usersOf(entrants: Entrants | undefined): readonly number[] {
  return entrants === undefined || entrants === 'everybody' ? [] : entrants
}
