import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { AlertsStore, Delivery, Try } from './alerts-store.ts'
import type { Channels, SendResult } from './channels/channel.ts'

const secondMs = 1000
const minuteMs = 60 * secondMs
/** After a try that failed, the next one comes so much later; the last wait is repeated. */
const waitsMs = [
  10 * secondMs,
  30 * secondMs,
  minuteMs,
  5 * minuteMs,
  15 * minuteMs,
  30 * minuteMs,
  60 * minuteMs,
]
/** So long a message is tried. */
export const triedForMs = 24 * 60 * minuteMs
/** One whose receivers all hang leaves room for others. */
const atOnce = { all: 64, ofUser: 4 }

interface SendDeliveriesDeps {
  readonly store: Pick<AlertsStore, 'dueDeliveries' | 'noteTry'>
  readonly channels: Pick<Channels, 'sendTo'>
  readonly clock: Clock
  readonly log: Pick<FastifyBaseLogger, 'error'>
}

/**
 * Sends what is due, each at least once and with the same key at each try ([N10] to [N12]): what came of a
 * try is written down after it, so that one during which the server ends is done again.
 */
export class DeliverySender {
  readonly #deps: SendDeliveriesDeps
  readonly #running = new Map<string, Promise<void>>()
  readonly #outcomes = new Map<string, number>()
  /** For each look at what is due that is under way: what ended meanwhile, and is due in it still. */
  readonly #endedIn = new Set<Set<string>>()
  /** Whether more may be due than could be begun. */
  #mayHaveMore = false
  #refilling: Promise<void> = Promise.resolve()

  constructor(deps: SendDeliveriesDeps) {
    this.#deps = deps
  }

  /** Begins what may be begun now; resolves before it ends. */
  async begin(): Promise<void> {
    if (this.#running.size >= atOnce.all) return
    const ended = new Set<string>()
    this.#endedIn.add(ended)
    const due = await this.#deps.store
      .dueDeliveries(this.#deps.clock(), atOnce)
      .finally(() => this.#endedIn.delete(ended))
    this.#mayHaveMore = due.length === atOnce.all
    for (const delivery of due) {
      const key = keyOf(delivery)
      if (this.#running.has(key) || ended.has(key)) continue
      if (this.#running.size >= atOnce.all) break
      this.#running.set(
        key,
        this.#send(delivery, key).finally(() => this.#end(key)),
      )
    }
  }

  /** Resolves when all that was begun has ended. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) {
      await Promise.all(this.#running.values())
      await this.#refilling
    }
  }

  /** Tries so far by what came of them. */
  get outcomes(): ReadonlyMap<string, number> {
    return this.#outcomes
  }

  /** Goes on where half of the room is free; else, and where that fails, the next look does. */
  #end(key: string): void {
    this.#running.delete(key)
    for (const ended of this.#endedIn) ended.add(key)
    if (!this.#mayHaveMore || this.#running.size > atOnce.all / 2) return
    this.#mayHaveMore = false
    this.#refilling = this.begin().catch(() => undefined)
  }

  async #send(delivery: Delivery, key: string): Promise<void> {
    const { store, channels, clock, log } = this.#deps
    try {
      const result = await channels.sendTo(delivery.channelKey, delivery.message, key)
      const outcome = outcomeOf(delivery, result, clock())
      await store.noteTry(delivery, outcome)
      this.#outcomes.set(outcome.state, (this.#outcomes.get(outcome.state) ?? 0) + 1)
    } catch (error) {
      // It stays due, and is sent again.
      log.error({ err: error }, 'what came of an alert was not written down')
    }
  }
}

/** The same for each try of one message to one channel, and never another's. */
function keyOf({ id, channelKey }: Pick<Delivery, 'id' | 'channelKey'>): string {
  return `${id}-${channelKey}`
}

export function outcomeOf(
  { tries, atMs }: Pick<Delivery, 'tries' | 'atMs'>,
  result: SendResult,
  nowMs: number,
): Try {
  const answer = result.note
  if (result.isOk) return { state: 'sent', triedMs: nowMs, nextMs: null, answer }
  const waitMs = waitsMs[Math.min(tries, waitsMs.length - 1)] ?? 0
  const nextMs = nowMs + Math.max(waitMs, result.retryAfterMs ?? 0)
  return result.isFinal || nextMs > atMs + triedForMs
    ? { state: 'failed', triedMs: nowMs, nextMs: null, answer }
    : { state: 'waiting', triedMs: nowMs, nextMs, answer }
}
