import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { AlertRulesStore } from './alert-rules-store.ts'
import type { AlertMessagesStore, Delivery, Try } from './alert-messages-store.ts'
import type { Channels, SendResult } from './channels/channel.ts'
import { quietUntilMs } from './quiet-hours.ts'
import type { ReportSource } from './read-reports.ts'
import { defaultUserRules } from './user-rules.ts'

const secondMs = 1000
const minuteMs = 60 * secondMs
/** Waits after failed tries. The last one repeats. */
const waitsMs = [
  10 * secondMs,
  30 * secondMs,
  minuteMs,
  5 * minuteMs,
  15 * minuteMs,
  30 * minuteMs,
  60 * minuteMs,
]
/** How long a message is retried. */
export const triedForMs = 24 * 60 * minuteMs
/** If a try is this much later than its message, the user's rules are read again. */
const lateAfterMs = minuteMs
/** The limit per user leaves room for others if all of a user's receivers hang. */
const atOnce = { all: 64, ofUser: 4 }

interface SendDeliveriesDeps {
  readonly store: Pick<AlertMessagesStore, 'dueDeliveries' | 'recordTry' | 'postpone'>
  readonly rules: Pick<AlertRulesStore, 'rulesOf'>
  readonly channels: Pick<Channels, 'sendTo'>
  readonly reports: Pick<ReportSource, 'operators'>
  /** Whether this server leads and is not about to stop. */
  readonly mayBegin: () => boolean
  readonly clock: Clock
  readonly log: Pick<FastifyBaseLogger, 'error'>
}

/**
 * Sends what is due, each delivery at least once and with the same key on every try ([N10] to [N12]). The
 * outcome is stored after the try, so a try that a shutdown interrupts is repeated.
 */
export class DeliverySender {
  readonly #deps: SendDeliveriesDeps
  readonly #running = new Map<string, Promise<void>>()
  readonly #outcomes = new Map<string, number>()
  /** Outcomes that storage refused. They are written before anything else is sent, so nothing is sent twice. */
  readonly #unwritten = new Map<string, { readonly delivery: Delivery; readonly outcome: Try }>()
  /**
   * For each read of due deliveries in progress: deliveries that ended meanwhile, which its result may
   * still contain.
   */
  readonly #endedIn = new Set<Set<string>>()
  /** Whether more deliveries may be due than could be started. */
  #mayHaveMore = false
  #refilling: Promise<void> = Promise.resolve()

  constructor(deps: SendDeliveriesDeps) {
    this.#deps = deps
  }

  /**
   * Starts what may be started now and resolves before it ends.
   * @throws StorageUnavailable if due deliveries cannot be read or outcomes cannot be written
   */
  async begin(): Promise<void> {
    const { mayBegin } = this.#deps
    if (this.#running.size >= atOnce.all || !mayBegin()) return
    await this.#writeLeft()
    const ended = new Set<string>()
    this.#endedIn.add(ended)
    const due = await this.#deps.store
      .dueDeliveries(this.#deps.clock(), atOnce)
      .finally(() => this.#endedIn.delete(ended))
    this.#mayHaveMore = due.length === atOnce.all
    for (const delivery of due) {
      const key = keyOf(delivery)
      if (this.#running.has(key) || ended.has(key) || this.#unwritten.has(key)) continue
      if (this.#running.size >= atOnce.all || !mayBegin()) break
      this.#running.set(
        key,
        this.#send(delivery, key).finally(() => this.#end(key)),
      )
    }
  }

  /** Resolves when all that was started has ended. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) {
      await Promise.all(this.#running.values())
      await this.#refilling
    }
  }

  /** Number of tries by outcome. */
  get outcomes(): ReadonlyMap<string, number> {
    return this.#outcomes
  }

  /** Starts more once half of the slots are free. Otherwise, or if that fails, the next run does. */
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
      const wish = await this.#wishOf(delivery, clock())
      if (typeof wish === 'number') {
        await store.postpone(delivery, wish)
        return
      }
      const result =
        wish === 'now' ? await channels.sendTo(delivery.channelKey, delivery.message, key) : wish
      const outcome = outcomeOf(delivery, result, clock())
      this.#outcomes.set(outcome.state, (this.#outcomes.get(outcome.state) ?? 0) + 1)
      this.#unwritten.set(key, { delivery, outcome })
      await this.#write(key)
    } catch (error) {
      log.error({ err: error }, 'the outcome of an alert was not stored')
    }
  }

  /**
   * Applies the user's current rules: send now, wait until a time ([N8]), or never send, with the reason.
   */
  async #wishOf(
    { userKey, message, atMs }: Delivery,
    nowMs: number,
  ): Promise<'now' | SendResult | number> {
    const { rules: rulesStore, reports } = this.#deps
    const isOfReports = message.kind === 'report'
    if (isOfReports && !(await reports.operators()).includes(userKey)) return noOperatorByNow
    if (nowMs <= atMs + lateAfterMs) return 'now'
    const found = await rulesStore.rulesOf([userKey])
    const { rules } = found.get(userKey) ?? defaultUserRules
    if (!rules.isOn || (isOfReports && !rules.tellsReports)) return offByNow
    const quietMs = quietUntilMs(nowMs, rules)
    return quietMs > nowMs ? quietMs : 'now'
  }

  async #writeLeft(): Promise<void> {
    for (const key of this.#unwritten.keys()) await this.#write(key)
  }

  /** Writes each outcome once, even with simultaneous calls. */
  async #write(key: string): Promise<void> {
    const left = this.#unwritten.get(key)
    if (left === undefined) return
    this.#unwritten.delete(key)
    try {
      await this.#deps.store.recordTry(left.delivery, left.outcome)
    } catch (error) {
      this.#unwritten.set(key, left)
      throw error
    }
  }
}

const offByNow: SendResult = {
  isOk: false,
  isFinal: true,
  note: 'It was not sent: alerts are off.',
}

const noOperatorByNow: SendResult = {
  isOk: false,
  isFinal: true,
  note: 'It was not sent: reports are for operators.',
}

/** The same for each try of one message to one channel, and unique to them. */
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
