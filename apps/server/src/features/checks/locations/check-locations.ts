import type { CheckStatus } from '@astropelago/contract/checks'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../../clock.ts'
import { failureText } from '../../../outgoing/failure-text.ts'
import type { CheckRecord, CheckSample, FoundCheck } from '../checks-store.ts'
import { type ProbedTarget, type ProbeResult, sharedTarget } from '../probe.ts'
import { applyVotes } from './apply-votes.ts'
import { Assignments, type Candidate } from './assignments.ts'
import { CheckVotes } from './check-votes.ts'
import type { Location, LocationsStore } from './locations-store.ts'
import { placeOf } from '../../../outgoing/place.ts'
import { proofMs } from './proofs.ts'
import { failuresToCount, type Decision } from './quorum.ts'

/** A location looks at an address once a minute at most. */
const leastIntervalMs = 60_000
/** How much earlier than a period the next look may come. */
const slackMs = 5000
const hourMs = 3_600_000
const forgetMs = 2 * 86_400_000

/** Agents that are connected to this server, by their devices. */
export interface Lenders {
  readonly perHour: (deviceKey: number) => number | undefined
  readonly ask: (
    deviceKey: number,
    look: {
      readonly target: ProbedTarget
      readonly ports: readonly number[]
      readonly isOwn: boolean
    },
  ) => Promise<
    | {
        readonly outcome: 'up' | 'down' | 'refused'
        readonly tookMs: number | null
        readonly why: string
      }
    | undefined
  >
}

type UsedStore = Pick<LocationsStore, 'listLending' | 'listProven' | 'listDoubts' | 'setDoubts'>

interface Watched {
  readonly votes: CheckVotes
  askedMs: number
}

/** Has proven addresses looked at by locations, and decides what they mean for a check. */
export class CheckLocations {
  readonly #store: UsedStore
  readonly #lenders: Lenders
  readonly #clock: Clock
  readonly #log: Pick<FastifyBaseLogger, 'error'>
  readonly #assignments = new Assignments()
  readonly #watched = new Map<number, Watched>()
  #lending: readonly Location[] = []
  /** When each place of each user was proven. */
  #proven: ReadonlyMap<string, number> = new Map()
  #doubts: ReadonlyMap<number, ReadonlyMap<number, number>> = new Map()

  constructor(options: {
    readonly store: UsedStore
    readonly lenders: Lenders
    readonly clock: Clock
    readonly log: Pick<FastifyBaseLogger, 'error'>
  }) {
    this.#store = options.store
    this.#lenders = options.lenders
    this.#clock = options.clock
    this.#log = options.log
  }

  /** Call it every few seconds, and when somebody stops lending or proves an address. */
  async refresh(): Promise<void> {
    const nowMs = this.#clock()
    const [lending, proven, doubts] = await Promise.all([
      this.#store.listLending(),
      this.#store.listProven(nowMs - proofMs),
      this.#store.listDoubts(),
    ])
    this.#lending = lending
    this.#proven = new Map(
      proven.map(({ userKey, place, provenMs }) => [`${userKey} ${place}`, provenMs ?? 0]),
    )
    this.#doubts = new Map(
      [...Map.groupBy(doubts, ({ checkKey }) => checkKey)].map(([checkKey, ofCheck]) => [
        checkKey,
        new Map(ofCheck.map(({ deviceKey, sinceMs }) => [deviceKey, sinceMs])),
      ]),
    )
    for (const [checkKey, { askedMs }] of this.#watched) {
      if (nowMs - askedMs >= forgetMs) this.#forget(checkKey)
    }
  }

  /** [S71] Asks the locations of a proven check. @returns what they claim */
  async look(check: CheckRecord): Promise<readonly CheckSample[]> {
    const { userKey } = check
    const target = sharedTarget(check)
    if (target === undefined) {
      this.#forget(check.key)
      return []
    }
    const nowMs = this.#clock()
    const { name, port } = placeOf(target)
    const provenMs = this.#proven.get(`${userKey} ${name}`)
    if (provenMs === undefined || nowMs - provenMs >= proofMs) {
      this.#forget(check.key)
      return []
    }
    const intervalMs = intervalOf(target.periodS)
    const watched = this.#watch(check)
    // After a first failure all look again sooner ([C4]).
    const restMs = check.state?.failures === 1 ? intervalMs / 2 : intervalMs
    if (nowMs - watched.askedMs < restMs - slackMs) return []
    watched.askedMs = nowMs
    const perHour = Math.ceil(hourMs / intervalMs)
    const candidates = this.#lending.flatMap((location): Candidate[] => {
      const { deviceKey } = location
      const lent = this.#lenders.perHour(deviceKey)
      const isTaken = lent !== undefined && location.userKey !== userKey
      return isTaken && watched.votes.hasVote(deviceKey, nowMs)
        ? [{ deviceKey, userKey: location.userKey, id: location.id, perHour: lent }]
        : []
    })
    const chosen = this.#assignments.choose({ key: check.key, id: check.id, perHour }, candidates)
    const look = { target, ports: [port], isOwn: false }
    const samples = await Promise.all(
      chosen.map(async ({ deviceKey, userKey: lenderKey }): Promise<CheckSample[]> => {
        const result = await this.#lenders.ask(deviceKey, look)
        if (result === undefined || result.outcome === 'refused') return []
        const isUp = result.outcome === 'up'
        const atMs = this.#clock()
        watched.votes.take({ locationKey: deviceKey, userKey: lenderKey, isUp, atMs })
        return [{ locationKey: deviceKey, atMs, tookMs: isUp ? (result.tookMs ?? 0) : null }]
      }),
    )
    return samples.flat()
  }

  /** [C17] What the owner's device finds. The server never looks in its place. */
  async lookFromOwn({ device }: CheckRecord, target: ProbedTarget): Promise<ProbeResult> {
    if (device === null) return unseen('Choose the device that it runs from.')
    if (device.key === null) return unseen('The device that it runs from was deleted.')
    if (this.#lenders.perHour(device.key) === undefined) {
      return unseen('No agent with --lend is connected on the device that it runs from.')
    }
    const result = await this.#lenders.ask(device.key, { target, ports: [], isOwn: true })
    if (result === undefined) return unseen('The agent on its device did not answer.')
    const { outcome, tookMs, why } = result
    if (outcome === 'up') return { isUp: true, tookMs: tookMs ?? 0 }
    if (outcome === 'refused') return unseen(refusals.get(why) ?? notAllowed)
    return { isUp: false, tookMs, note: noteOf(why) }
  }

  /**
   * What locations make of what the server found.
   * @param isSeen false if the server can't reach anything
   */
  judge(
    check: CheckRecord,
    found: FoundCheck,
    { isSeen, samples }: { readonly isSeen: boolean; readonly samples: readonly CheckSample[] },
  ): FoundCheck {
    // Most checks are looked at by the server alone.
    if (!this.#watched.has(check.key)) return found
    return applyVotes(check, found, {
      decision: this.decide(check, serverVote(found, isSeen)),
      samples,
      nameOf: (key) => this.#lending.find(({ deviceKey }) => deviceKey === key)?.region ?? null,
    })
  }

  /** @param server what the server itself found, after two failures in a row */
  decide(check: CheckRecord, server: CheckStatus): Decision {
    const nowMs = this.#clock()
    const { target } = check
    const { votes } = this.#watch(check)
    const before = votes.doubts
    const intervalMs = target.kind === 'push' ? 0 : intervalOf(target.periodS)
    const decision = votes.decide(server, { nowMs, periodMs: intervalMs })
    if (votes.doubts !== before) {
      this.#store.setDoubts(check.key, votes.doubts).catch((error: unknown) => {
        this.#log.error({ err: error }, 'a location that disagrees was not recorded')
      })
    }
    return decision
  }

  #watch(check: CheckRecord): Watched {
    const known = this.#watched.get(check.key)
    if (known !== undefined) return known
    const votes = new CheckVotes(check.userKey, this.#doubts.get(check.key))
    const watched = { votes, askedMs: -Infinity }
    this.#watched.set(check.key, watched)
    return watched
  }

  #forget(checkKey: number): void {
    this.#watched.delete(checkKey)
    this.#assignments.drop(checkKey)
  }
}

const unseen = (note: string): ProbeResult => ({ isUp: false, tookMs: null, note, isUnseen: true })

const notAllowed = 'Its agent refused to look: no --check-lan on its command line allows it.'
/** Other reasons of an agent. */
const refusals: ReadonlyMap<string, string> = new Map([
  ['network', 'The network of its device does not work.'],
  ['busy', 'Its agent looks at too much at once.'],
  ['limit', 'Its agent has looked too often in this hour. What --check-lan names is not limited.'],
  ['ping', 'The program ping does not work on its device.'],
])

/** What an agent found, of its words for it in one sentence. */
function noteOf(why: string): string {
  const status = /^status (\d{3})$/.exec(why)
  if (status !== null) return `It answers with status ${status[1]}.`
  return found.get(why) ?? failureText(Object.assign(new Error(why), { code: why }))
}

const found: ReadonlyMap<string, string> = new Map([
  ['text', 'The text is not in the first 256 kB of its answer.'],
  ['value', 'No record has the expected value.'],
  ['ends soon', 'Its certificate ends soon.'],
])

const intervalOf = (periodS: number): number => Math.max(periodS * 1000, leastIntervalMs)

/** A first failure does not count, so the server says what it said before. */
function serverVote({ state }: FoundCheck, isSeen: boolean): CheckStatus {
  if (!isSeen) return 'unobserved'
  if (state.failures >= failuresToCount) return 'down'
  return state.failures > 0 && state.status === 'unobserved' ? 'unobserved' : 'up'
}
