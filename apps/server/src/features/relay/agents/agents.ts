import type { Socket } from 'node:net'
import { agentsPerDevice } from '@astropelago/contract/limits'
import type { Clock } from '../../../clock.ts'
import { DomainError } from '../../../domain-error.ts'
import type { DeviceCaller } from '../../../http/callers.ts'
import type { CarriedIsland, RelayedIslands } from '../relayed-islands.ts'
import type { Patience } from '../session-over.ts'
import { AgentSession, type AgentIdentity } from './agent-session.ts'

/** How long open streams may take when the server stops. Less than the server itself has. */
const farewellMs = 4000
/** By then the island's own record says since when it is closed. */
const rememberMs = 3_600_000
const retryAfterS = 15

interface AgentsOptions {
  readonly islands: Pick<RelayedIslands, 'carriedBy'>
  readonly clock: Clock
  readonly isTokenHeld: (caller: DeviceCaller) => boolean
  /** Counts as a heartbeat of the agent's device. Called every `aliveMs` while an agent is connected. */
  readonly onAlive: (caller: DeviceCaller) => void
  readonly aliveMs: number
  readonly patience?: Patience
  readonly onOpen?: (session: AgentSession) => void
  readonly onClose?: (session: AgentSession) => void
}

export class Agents {
  readonly #options: AgentsOptions
  readonly #byDevice = new Map<number, Set<AgentSession>>()
  /** Also those that are draining or still opening. */
  readonly #all = new Set<AgentSession>()
  readonly #gone: GoneAgents
  readonly #beats: NodeJS.Timeout
  #isRecheckDue = false
  #isStopping = false

  constructor(options: AgentsOptions) {
    this.#options = options
    this.#gone = new GoneAgents(options.clock)
    this.#beats = setInterval(() => this.#beat(), options.aliveMs)
    this.#beats.unref()
  }

  get count(): number {
    let count = 0
    for (const sessions of this.#byDevice.values()) count += sessions.size
    return count
  }

  /** @throws DomainError `overloaded` or `rate_limited` if no other agent can connect */
  checkRoom({ caller: { deviceKey }, agentId }: Pick<AgentIdentity, 'caller' | 'agentId'>): void {
    if (this.#isStopping) throw new DomainError('overloaded', { retryAfterS: 1 })
    const others = [...this.#all].filter(
      ({ identity }) => identity.caller.deviceKey === deviceKey && identity.agentId !== agentId,
    )
    if (others.length >= agentsPerDevice) throw new DomainError('rate_limited', { retryAfterS })
  }

  add(wire: Socket, identity: AgentIdentity): void {
    const listeners = {
      onOpen: () => this.#open(session),
      onDraining: () => this.#close(session),
      onEnd: () => {
        this.#all.delete(session)
        this.#close(session)
      },
    }
    const session = new AgentSession(wire, identity, listeners, this.#options.patience)
    this.#all.add(session)
  }

  /** The agent with the fewest open streams. Equal ones take turns. */
  find(island: CarriedIsland): AgentSession | undefined {
    const sessions = this.#sessionsOf(island)
    if (sessions === undefined) return undefined
    let least: AgentSession | undefined
    for (const session of sessions) {
      if (!carries(session, island)) continue
      if (least === undefined || session.streamCount < least.streamCount) least = session
    }
    if (least !== undefined && sessions.size > 1) {
      sessions.delete(least)
      sessions.add(least)
    }
    return least
  }

  isThere(island: CarriedIsland): boolean {
    for (const session of this.#sessionsOf(island) ?? []) if (carries(session, island)) return true
    return false
  }

  /** Since when no agent of the island is connected. Undefined if one is, or none was in the last hour. */
  goneSince(island: CarriedIsland): number | undefined {
    return this.isThere(island) ? undefined : this.#gone.since(island)
  }

  /** Call it when tokens may have ended, or when islands may have moved to other devices. */
  recheck(): void {
    // One check covers all calls of a turn.
    if (this.#isRecheckDue) return
    this.#isRecheckDue = true
    setImmediate(() => {
      this.#isRecheckDue = false
      for (const session of this.#all) if (!this.#isWanted(session)) this.#dismiss(session)
    })
  }

  /** Resolves when all agents have gone. They dial again, another server or this one after its restart. */
  async stop(): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#beats)
    await Promise.all(
      [...this.#all].map(async (session) => {
        session.drain(farewellMs)
        await session.ended
      }),
    )
  }

  #open(session: AgentSession): void {
    const { agentId, caller } = session.identity
    if (this.#isStopping || !this.#isWanted(session)) {
      this.#dismiss(session)
      return
    }
    const sessions = this.#byDevice.get(caller.deviceKey) ?? new Set()
    for (const older of sessions) if (older.identity.agentId === agentId) older.takeOver()
    sessions.add(session)
    // `takeOver` removed the device's entry if that was its only session.
    this.#byDevice.set(caller.deviceKey, sessions)
    this.#gone.delete(carriedBy(session))
    this.#options.onAlive(caller)
    this.#options.onOpen?.(session)
  }

  #close(session: AgentSession): void {
    const { caller, islandKey } = session.identity
    const sessions = this.#byDevice.get(caller.deviceKey)
    if (sessions?.delete(session) !== true) return
    this.#options.onClose?.(session)
    if (sessions.size === 0) this.#byDevice.delete(caller.deviceKey)
    const isLast = [...sessions].every(({ identity }) => identity.islandKey !== islandKey)
    if (isLast) this.#gone.add(carriedBy(session))
  }

  /** Ends a session whose agent will not return, so that no visitor waits for it. */
  #dismiss(session: AgentSession): void {
    session.end()
    this.#gone.delete(carriedBy(session))
  }

  #isWanted({ identity: { islandKey, caller } }: AgentSession): boolean {
    const { islands, isTokenHeld } = this.#options
    if (!isTokenHeld(caller)) return false
    const carried = islands.carriedBy(caller.deviceKey)
    return carried.some(
      ({ key, isStopped }) => !isStopped && (islandKey === null || key === islandKey),
    )
  }

  #beat(): void {
    this.#gone.deleteOld()
    for (const sessions of this.#byDevice.values()) {
      for (const { identity } of sessions) this.#options.onAlive(identity.caller)
    }
  }

  #sessionsOf({ carrierKey }: CarriedIsland): Set<AgentSession> | undefined {
    return carrierKey === null ? undefined : this.#byDevice.get(carrierKey)
  }
}

const carries = ({ identity: { islandKey } }: AgentSession, { key }: CarriedIsland): boolean =>
  islandKey === null || islandKey === key

const carriedBy = ({ identity: { caller, islandKey } }: AgentSession) => ({
  deviceKey: caller.deviceKey,
  islandKey,
})

/** One island of an agent's device, or all of them if the island's key is null. */
interface Carried {
  readonly deviceKey: number
  readonly islandKey: number | null
}

/** When the last agent of a device or an island went. Two agents of a device may each carry one island. */
export class GoneAgents {
  readonly #atMs = new Map<string, number>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(carried: Carried): void {
    this.#atMs.set(mapKey(carried), this.#clock())
  }

  /** Call it when an agent is back or is not expected to return. */
  delete(carried: Carried): void {
    this.#atMs.delete(mapKey(carried))
  }

  since({ key, carrierKey: deviceKey }: CarriedIsland): number | undefined {
    if (deviceKey === null) return undefined
    const own = this.#atMs.get(mapKey({ deviceKey, islandKey: key }))
    const ofAll = this.#atMs.get(mapKey({ deviceKey, islandKey: null }))
    return own === undefined || ofAll === undefined ? (own ?? ofAll) : Math.max(own, ofAll)
  }

  deleteOld(): void {
    const untilMs = this.#clock() - rememberMs
    for (const [key, atMs] of this.#atMs) if (atMs <= untilMs) this.#atMs.delete(key)
  }
}

const mapKey = ({ deviceKey, islandKey }: Carried): string => `${deviceKey} ${islandKey ?? '*'}`
