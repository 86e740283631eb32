import { randomBytes } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { CheckTarget } from '@astropelago/contract/checks'
import * as v from 'valibot'
import type { DeviceCaller } from '../../../http/callers.ts'
import { placeOf } from '../../../outgoing/place.ts'
import { agentPatience } from '../agents/agent-session.ts'
import { FrameSession, type Patience } from '../frames/frame-session.ts'

/** For the way to the agent and back. */
const wayMs = 5000
const hourMs = 3_600_000
/** How long a connection may take to close. */
const farewellMs = 4000

export interface LenderIdentity {
  readonly agentId: string
  readonly caller: DeviceCaller
  readonly perHour: number
  /** As this server sees it. */
  readonly address: string
}

/** What a location is asked to look at. */
export interface Assignment {
  readonly target: Exclude<CheckTarget, { kind: 'push' }>
  /** Ports that the proof names, beside 80 and 443. */
  readonly ports: readonly number[]
  /** Whether the check belongs to the agent's own user. */
  readonly isOwn: boolean
}

/** A claim by a location. */
export const AssignmentResult = v.object({
  /** `refused`: it did not look, which says nothing about the address. */
  outcome: v.picklist(['up', 'down', 'refused']),
  tookMs: v.nullable(v.pipe(v.number(), v.minValue(0))),
  why: v.pipe(v.string(), v.maxLength(100)),
})
export type AssignmentResult = v.InferOutput<typeof AssignmentResult>

const Result = v.object({ nonce: v.string(), ...AssignmentResult.entries })

interface Assigned {
  readonly startMs: number
  readonly resolve: (result: AssignmentResult | undefined) => void
}

/** [L1] A connection of an agent that lends, and what it has been asked. */
export class LendSession {
  readonly identity: LenderIdentity
  readonly #session: FrameSession
  /** [L9] By nonce. */
  readonly #assigned = new Map<string, Assigned>()
  /** What it was asked in the last hour. */
  #asked: { readonly atMs: number; readonly place: string }[] = []
  #isLeaving = false

  constructor(
    wire: Duplex,
    identity: LenderIdentity,
    {
      onEnd,
      patience = agentPatience,
    }: { readonly onEnd: () => void; readonly patience?: Patience },
  ) {
    this.identity = identity
    this.#session = new FrameSession(wire, {
      patience,
      onResult: (payload) => this.#take(payload),
      onAway: () => this.leave(),
      onEnd: () => {
        for (const nonce of this.#assigned.keys()) this.#end(nonce, undefined)
        onEnd()
      },
    })
  }

  get isOpen(): boolean {
    return !this.#isLeaving && !this.#session.hasEnded
  }

  /** [L7] How many more looks it lends in this hour. */
  get looksLeft(): number {
    const sinceMs = performance.now() - hourMs
    this.#asked = this.#asked.filter(({ atMs }) => atMs > sinceMs)
    return this.identity.perHour - this.#asked.length
  }

  /** [L7] How often it was asked to look at a host and port in this hour. */
  looksAt(place: string): number {
    const sinceMs = performance.now() - hourMs
    return this.#asked.filter((asked) => asked.place === place && asked.atMs > sinceMs).length
  }

  /** Resolves with undefined if it does not answer in time. */
  ask(
    assignment: Assignment,
    ownAddresses: readonly string[],
  ): Promise<AssignmentResult | undefined> {
    if (!this.isOpen) return Promise.resolve(undefined)
    const nonce = randomBytes(16).toString('base64url')
    const timeoutMs = assignment.target.timeoutS * 1000
    const { target, ports, isOwn } = assignment
    const startMs = performance.now()
    // The agent itself limits what its command line does not name.
    if (!isOwn) this.#asked.push({ atMs: startMs, place: placeOf(target).name })
    this.#session.assign(
      Buffer.from(JSON.stringify({ nonce, target, timeoutMs, ownAddresses, ports, isOwn })),
    )
    return new Promise((done) => {
      const late = setTimeout(() => this.#end(nonce, undefined), timeoutMs + wayMs)
      const resolve = (result: AssignmentResult | undefined) => {
        clearTimeout(late)
        done(result)
      }
      this.#assigned.set(nonce, { startMs, resolve })
    })
  }

  /** Asks it to connect again. */
  leave(why = ''): void {
    if (!this.isOpen) return
    this.#isLeaving = true
    this.#session.away(why)
    this.#session.finish()
    setTimeout(() => this.end(), farewellMs).unref()
  }

  end(): void {
    this.#session.end()
  }

  #take(payload: Buffer): void {
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Result), payload.toString())
    if (!parsed.success) return
    const { nonce, ...result } = parsed.output
    const assigned = this.#assigned.get(nonce)
    if (assigned === undefined) return
    // No answer takes longer than this server has waited for it.
    const waitedMs = performance.now() - assigned.startMs
    const tookMs = result.tookMs === null ? null : Math.round(Math.min(result.tookMs, waitedMs))
    this.#end(nonce, { ...result, tookMs })
  }

  #end(nonce: string, result: AssignmentResult | undefined): void {
    const assigned = this.#assigned.get(nonce)
    this.#assigned.delete(nonce)
    assigned?.resolve(result)
  }
}
