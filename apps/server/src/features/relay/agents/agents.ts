import type { Socket } from 'node:net'
import { agentsPerDevice } from '@astropelago/contract/limits'
import type { Clock } from '../../../clock.ts'
import { DomainError } from '../../../domain-error.ts'
import type { DeviceCaller } from '../../../http/callers.ts'
import type { CarriedIsland, RelayedIslands } from '../relayed-islands.ts'
import { AgentSession, type AgentIdentity } from './agent-session.ts'
import { AgentWaiters } from './agent-waiters.ts'
import { GoneAgents } from './gone-agents.ts'
import type { Patience } from './watch-silence.ts'

/** For this long after a connection is lost, visitors wait for the agent to return. */
const graceMs = 10_000
/** How long open streams may take when the server stops. Less than the server itself has. */
const farewellMs = 4000
/** By then a silent connection is detected. */
const retryAfterS = 15

interface AgentsOptions {
  readonly islands: Pick<RelayedIslands, 'find' | 'carriedBy'>
  readonly clock: Clock
  readonly isTokenHeld: (caller: DeviceCaller) => boolean
  /** Counts as a heartbeat of the agent's device. */
  readonly noteAlive: (caller: DeviceCaller) => void
  /** How often `noteAlive` is called while an agent is connected. */
  readonly aliveMs: number
  /** When a silent agent counts as gone. Only tests set it. */
  readonly patience?: Patience
  /** Called when an agent begins to carry visitors. `onGo` is called when it no longer does. */
  readonly onCome?: (session: AgentSession) => void
  readonly onGo?: (session: AgentSession) => void
}

/** The agents that are connected to this server, by device. */
export class Agents {
  readonly #options: AgentsOptions
  readonly #byDevice = new Map<number, Set<AgentSession>>()
  /** Includes sessions that are draining or still opening. */
  readonly #all = new Set<AgentSession>()
  readonly #gone: GoneAgents
  readonly #waiters = new AgentWaiters((island) => this.find(island))
  readonly #beats: NodeJS.Timeout
  #isLookDue = false
  #isStopping = false

  constructor(options: AgentsOptions) {
    this.#options = options
    this.#gone = new GoneAgents(options.clock)
    this.#beats = setInterval(() => this.#beat(), options.aliveMs)
    this.#beats.unref()
  }

  /** How many carry visitors now. */
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
      onOpen: () => this.#takeIn(session),
      onDraining: () => this.#leave(session),
      onEnd: () => {
        this.#all.delete(session)
        this.#leave(session)
      },
    }
    const session = new AgentSession(wire, identity, listeners, this.#options.patience)
    this.#all.add(session)
  }

  /** The agent with the fewest open streams. Equal ones take turns. */
  find({ key, carrierKey }: CarriedIsland): AgentSession | undefined {
    const sessions = carrierKey === null ? undefined : this.#byDevice.get(carrierKey)
    if (sessions === undefined) return undefined
    let least: AgentSession | undefined
    for (const session of sessions) {
      const { islandKey } = session.identity
      if (islandKey !== null && islandKey !== key) continue
      if (least === undefined || session.streamCount < least.streamCount) least = session
    }
    if (least !== undefined && sessions.size > 1) {
      sessions.delete(least)
      sessions.add(least)
    }
    return least
  }

  /** The same, but waits for an agent that was connected a moment ago. Undefined if none comes. */
  async whenThere(island: CarriedIsland): Promise<AgentSession | undefined> {
    const session = this.find(island)
    if (session !== undefined || !this.wasThere(island)) return session
    return await this.#waiters.wait(island)
  }

  isThere({ key, carrierKey }: CarriedIsland): boolean {
    const sessions = carrierKey === null ? undefined : this.#byDevice.get(carrierKey)
    if (sessions === undefined) return false
    for (const { identity } of sessions) {
      if (identity.islandKey === null || identity.islandKey === key) return true
    }
    return false
  }

  /** Whether an agent was connected until a moment ago. */
  wasThere(island: CarriedIsland): boolean {
    const goneMs = this.goneSince(island)
    return goneMs !== undefined && this.#options.clock() - goneMs < graceMs
  }

  /** Since when no agent of the island is connected. Undefined if one is, or none was in the last hour. */
  goneSince(island: CarriedIsland): number | undefined {
    return this.isThere(island) ? undefined : this.#gone.since(island)
  }

  /** Call it when tokens may have ended, or when islands may have moved to other devices. */
  lookAgain(): void {
    // One look covers all calls of a turn.
    if (this.#isLookDue) return
    this.#isLookDue = true
    setImmediate(() => {
      this.#isLookDue = false
      for (const session of this.#all) if (!this.#isWanted(session)) this.#dismiss(session)
    })
  }

  /** Resolves when all agents have gone. They dial again, another server or this one after its restart. */
  async stop(): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#beats)
    this.#waiters.stop()
    await Promise.all(
      [...this.#all].map(async (session) => {
        session.drain(farewellMs)
        await session.ended
      }),
    )
  }

  #takeIn(session: AgentSession): void {
    const { agentId, caller } = session.identity
    if (this.#isStopping || !this.#isWanted(session)) {
      this.#dismiss(session)
      return
    }
    const sessions = this.#byDevice.get(caller.deviceKey) ?? new Set()
    // The agent has lost its older connection.
    for (const older of sessions) if (older.identity.agentId === agentId) older.takeOver()
    sessions.add(session)
    // `takeOver` removed the device's entry if that was its only session.
    this.#byDevice.set(caller.deviceKey, sessions)
    this.#gone.forget(carriedBy(session))
    this.#options.noteAlive(caller)
    this.#options.onCome?.(session)
    this.#waiters.lookAgain()
  }

  #leave(session: AgentSession): void {
    const { caller, islandKey } = session.identity
    const sessions = this.#byDevice.get(caller.deviceKey)
    if (sessions?.delete(session) !== true) return
    this.#options.onGo?.(session)
    if (sessions.size === 0) this.#byDevice.delete(caller.deviceKey)
    const isLast = [...sessions].every(({ identity }) => identity.islandKey !== islandKey)
    if (isLast) this.#gone.note(carriedBy(session))
  }

  /** Ends a session whose agent will not return, so that no visitor waits for it. */
  #dismiss(session: AgentSession): void {
    session.end()
    this.#gone.forget(carriedBy(session))
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
    this.#gone.forgetOld()
    for (const sessions of this.#byDevice.values()) {
      for (const { identity } of sessions) this.#options.noteAlive(identity.caller)
    }
  }
}

const carriedBy = ({ identity: { caller, islandKey } }: AgentSession) => ({
  deviceKey: caller.deviceKey,
  islandKey,
})
