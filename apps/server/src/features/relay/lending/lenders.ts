import type { Duplex } from 'node:stream'
import { agentsPerDevice } from '@astropelago/contract/limits'
import { Topic } from '../../../topic.ts'
import { DomainError } from '../../../domain-error.ts'
import type { DeviceCaller } from '../../../http/callers.ts'
import { placeOf } from '../../../outgoing/place.ts'
import type { Patience } from '../frames/frame-session.ts'
import {
  LendSession,
  type LenderIdentity,
  type Assignment,
  type AssignmentResult,
} from './lend-session.ts'

const retryAfterS = 15
/** [L7] Looks of a device at one host and port. */
const placePerHour = 60

export type Lenders = ReturnType<typeof createLenders>

/** Agents that look at addresses for others. */
export function createLenders({
  isTokenHeld,
  onAlive,
  aliveMs,
  patience,
}: {
  readonly isTokenHeld: (caller: DeviceCaller) => boolean
  /** Counts as a heartbeat of the agent's device. */
  readonly onAlive: (caller: DeviceCaller) => void
  readonly aliveMs: number
  readonly patience?: Patience
}) {
  /** Each check that is looked at asks about all devices, so none may cost a walk through all agents. */
  const byDevice = new Map<number, readonly LendSession[]>()
  const all = () => [...byDevice.values()].flat()
  const changes = new Topic<[deviceKey: number]>()
  let isStopping = false
  const beats = setInterval(() => {
    for (const { identity } of all()) onAlive(identity.caller)
  }, aliveMs)
  beats.unref()

  const ofDevice = (deviceKey: number): readonly LendSession[] => byDevice.get(deviceKey) ?? []
  const remove = (session: LendSession) => {
    const { deviceKey } = session.identity.caller
    const others = ofDevice(deviceKey).filter((one) => one !== session)
    if (others.length > 0) byDevice.set(deviceKey, others)
    else byDevice.delete(deviceKey)
    changes.publish(deviceKey)
  }
  const mostFree = (deviceKey: number): LendSession | undefined =>
    ofDevice(deviceKey)
      .filter(({ isOpen }) => isOpen)
      .toSorted((one, other) => other.looksLeft - one.looksLeft)[0]

  return {
    /** What the agent with the most looks left lends; undefined if none is connected. */
    perHour: (deviceKey: number): number | undefined => mostFree(deviceKey)?.identity.perHour,
    /** Resolves with undefined if no agent of the device answers in time. */
    ask: async (
      deviceKey: number,
      assignment: Assignment,
    ): Promise<AssignmentResult | undefined> => {
      const session = mostFree(deviceKey)
      if (session === undefined) return undefined
      const ofAll = ofDevice(deviceKey)
      const { name } = placeOf(assignment.target)
      const looks = ofAll.reduce((sum, one) => sum + one.looksAt(name), 0)
      const isSpent = session.looksLeft <= 0 || looks >= placePerHour
      if (isSpent && !assignment.isOwn) return undefined
      const addresses = ofAll.map(({ identity }) => identity.address)
      return await session.ask(assignment, [...new Set(addresses)])
    },
    /** @throws DomainError `overloaded` or `rate_limited` if no other agent can connect */
    checkRoom: ({ caller, agentId }: Pick<LenderIdentity, 'caller' | 'agentId'>): void => {
      if (isStopping) throw new DomainError('overloaded', { retryAfterS: 1 })
      const others = ofDevice(caller.deviceKey).filter(
        ({ identity }) => identity.agentId !== agentId,
      )
      if (others.length >= agentsPerDevice) throw new DomainError('rate_limited', { retryAfterS })
    },
    add: (wire: Duplex, identity: LenderIdentity): void => {
      const { deviceKey } = identity.caller
      const session = new LendSession(wire, identity, {
        ...(patience !== undefined && { patience }),
        onEnd: () => remove(session),
      })
      if (isStopping || !isTokenHeld(identity.caller)) {
        session.end()
        return
      }
      for (const older of ofDevice(deviceKey)) {
        if (older.identity.agentId === identity.agentId) older.leave('taken over')
      }
      byDevice.set(deviceKey, [...ofDevice(deviceKey), session])
      changes.publish(deviceKey)
      onAlive(identity.caller)
    },
    /** Called with a device whose agents have come or gone. */
    onChange: changes.subscribe,
    deviceKeys: (): readonly number[] => [...byDevice.keys()],
    /** Call it when tokens may have ended. */
    recheck: (): void => {
      for (const session of all()) if (!isTokenHeld(session.identity.caller)) session.end()
    },
    stop: (): void => {
      isStopping = true
      clearInterval(beats)
      for (const session of all()) session.leave()
    },
  }
}
