import type { Duplex } from 'node:stream'
import { agentsPerDevice } from '@astropelago/contract/limits'
import type { Clock } from '../../../clock.ts'
import { DomainError } from '../../../domain-error.ts'
import type { DeviceCaller } from '../../../http/callers.ts'
import type { CarriedIsland, ServedIslands } from '../served-islands.ts'
import type { Patience } from '../frames/frame-session.ts'
import { AgentSession, type AgentIdentity } from './agent-session.ts'

/** How long open streams may take when the server stops. Less than the server itself has. */
const farewellMs = 4000
/** By then the island's own record says since when it is closed. */
const rememberMs = 3_600_000
const retryAfterS = 15

export type Agents = ReturnType<typeof createAgents>

export function createAgents(options: {
  readonly islands: Pick<ServedIslands, 'carriedBy'>
  readonly clock: Clock
  readonly isTokenHeld: (caller: DeviceCaller) => boolean
  /** Counts as a heartbeat of the agent's device. Called every `aliveMs` while an agent is connected. */
  readonly onAlive: (caller: DeviceCaller) => void
  readonly aliveMs: number
  readonly patience?: Patience
  readonly onOpen?: (session: AgentSession) => void
  readonly onClose?: (session: AgentSession) => void
}) {
  const { islands, onAlive } = options
  const byDevice = new Map<number, Set<AgentSession>>()
  /** Also those that are draining. */
  const all = new Set<AgentSession>()
  const gone = createGoneAgents(options.clock)
  let isRecheckDue = false
  let isStopping = false
  const beats = setInterval(() => {
    gone.deleteOld()
    for (const sessions of byDevice.values()) {
      for (const { identity } of sessions) onAlive(identity.caller)
    }
  }, options.aliveMs)
  beats.unref()

  const sessionsOf = ({ carrierKey }: CarriedIsland) =>
    carrierKey === null ? undefined : byDevice.get(carrierKey)

  const isThere = (island: CarriedIsland): boolean => {
    for (const session of sessionsOf(island) ?? []) if (carries(session, island)) return true
    return false
  }

  const isWanted = ({ identity: { islandKey, caller } }: AgentSession): boolean =>
    options.isTokenHeld(caller) &&
    islands
      .carriedBy(caller.deviceKey)
      .some(({ key, isStopped }) => !isStopped && (islandKey === null || key === islandKey))

  /** Ends a session whose agent will not return, so that no visitor waits for it. */
  const dismiss = (session: AgentSession) => {
    session.end()
    gone.delete(carriedBy(session))
  }

  const open = (session: AgentSession) => {
    const { agentId, caller } = session.identity
    if (isStopping || !isWanted(session)) {
      dismiss(session)
      return
    }
    const sessions = byDevice.get(caller.deviceKey) ?? new Set()
    for (const older of sessions) if (older.identity.agentId === agentId) older.takeOver()
    sessions.add(session)
    // `takeOver` removed the device's entry if that was its only session.
    byDevice.set(caller.deviceKey, sessions)
    gone.delete(carriedBy(session))
    onAlive(caller)
    options.onOpen?.(session)
  }

  const close = (session: AgentSession) => {
    const { caller, islandKey } = session.identity
    const sessions = byDevice.get(caller.deviceKey)
    if (sessions?.delete(session) !== true) return
    options.onClose?.(session)
    if (sessions.size === 0) byDevice.delete(caller.deviceKey)
    const isLast = [...sessions].every(({ identity }) => identity.islandKey !== islandKey)
    if (isLast) gone.add(carriedBy(session))
  }

  return {
    count: (): number => byDevice.values().reduce((count, { size }) => count + size, 0),
    /** @throws DomainError `overloaded` or `rate_limited` if no other agent can connect */
    checkRoom: ({
      caller: { deviceKey },
      agentId,
    }: Pick<AgentIdentity, 'caller' | 'agentId'>): void => {
      if (isStopping) throw new DomainError('overloaded', { retryAfterS: 1 })
      const others = [...all].filter(
        ({ identity }) => identity.caller.deviceKey === deviceKey && identity.agentId !== agentId,
      )
      if (others.length >= agentsPerDevice) throw new DomainError('rate_limited', { retryAfterS })
    },
    add: (wire: Duplex, identity: AgentIdentity): void => {
      const listeners = {
        onDraining: () => close(session),
        onEnd: () => {
          all.delete(session)
          close(session)
        },
      }
      const session = new AgentSession(wire, identity, listeners, options.patience)
      all.add(session)
      open(session)
    },
    /** The agent with the fewest open streams, and a full one only if there is no other. Equal ones take turns. */
    find: (island: CarriedIsland): AgentSession | undefined => {
      const sessions = sessionsOf(island)
      if (sessions === undefined) return undefined
      let least: AgentSession | undefined
      for (const session of sessions) {
        if (!carries(session, island)) continue
        if (least === undefined || isLessBusy(session, least)) least = session
      }
      if (least !== undefined && sessions.size > 1) {
        sessions.delete(least)
        sessions.add(least)
      }
      return least
    },
    isThere,
    /** Since when no agent of the island is connected. Undefined if one is, or none was in the last hour. */
    goneSince: (island: CarriedIsland): number | undefined =>
      isThere(island) ? undefined : gone.since(island),
    /** Call it when tokens may have ended, or when islands may have moved to other devices. */
    recheck: (): void => {
      // One check covers all calls of a turn.
      if (isRecheckDue) return
      isRecheckDue = true
      setImmediate(() => {
        isRecheckDue = false
        for (const session of all) if (!isWanted(session)) dismiss(session)
      })
    },
    /** Resolves when all agents have gone. They dial again, another server or this one after its restart. */
    stop: async (): Promise<void> => {
      isStopping = true
      clearInterval(beats)
      await Promise.all(
        [...all].map(async (session) => {
          session.drain(farewellMs)
          await session.ended
        }),
      )
    },
  }
}

const isLessBusy = (session: AgentSession, other: AgentSession): boolean =>
  session.isFull === other.isFull ? session.streamCount < other.streamCount : other.isFull

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
export function createGoneAgents(clock: Clock) {
  const goneMs = new Map<string, number>()
  return {
    add: (carried: Carried): void => void goneMs.set(mapKey(carried), clock()),
    /** Call it when an agent is back or is not expected to return. */
    delete: (carried: Carried): void => void goneMs.delete(mapKey(carried)),
    since: ({ key, carrierKey: deviceKey }: CarriedIsland): number | undefined => {
      if (deviceKey === null) return undefined
      const own = goneMs.get(mapKey({ deviceKey, islandKey: key }))
      const ofAll = goneMs.get(mapKey({ deviceKey, islandKey: null }))
      return own === undefined || ofAll === undefined ? (own ?? ofAll) : Math.max(own, ofAll)
    },
    deleteOld: (): void => {
      const untilMs = clock() - rememberMs
      for (const [key, atMs] of goneMs) if (atMs <= untilMs) goneMs.delete(key)
    },
  }
}

const mapKey = ({ deviceKey, islandKey }: Carried): string => `${deviceKey} ${islandKey ?? '*'}`
