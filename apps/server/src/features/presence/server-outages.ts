import { StorageUnavailable } from '../../storage/storage-error.ts'
import type { SharedPresence } from './presence-state.ts'
import type { PresenceStore } from './presence-store.ts'
import type { DeadlineRule } from './deadline-rule.ts'
import type { Outage, PresenceRules } from './status.ts'

/** A tick this late means that the machine slept or its clock was set, so no heartbeat arrived meanwhile. */
const lateTickMs = 10_000
/** A time this far in the future was written while the clock was wrong. */
const futureMs = 10_000
const aliveMarkMs = 10_000
/** A server that answers gives a sign of life more often than this. */
const silenceMs = 3000
const forgetEveryMs = 60_000

export type ServerOutages = ReturnType<typeof createServerOutages>

/** Times in which heartbeats could not arrive or be stored. No device goes offline for them ([P5]). */
export function createServerOutages({
  store,
  now,
  windowMs,
  log,
  judges,
  silences,
  oldestOwnMs,
}: {
  readonly store: PresenceStore
  /** The server’s clock, which never goes back, nor behind `atLeastMs`. */
  readonly now: (atLeastMs?: number) => number
  readonly windowMs: number
  readonly log: { readonly warn: (details: object, text: string) => void }
  readonly judges: () => boolean
  readonly silences: SharedPresence['silences']
  /** The oldest last heartbeat of online devices with schedules of their own; Infinity if there are none. */
  readonly oldestOwnMs: () => number
}) {
  /** Of these, devices without a schedule can need only the recent ones. */
  let recorded: readonly Outage[] = []
  let recent: readonly Outage[] = []
  let forgotMs = Number.NEGATIVE_INFINITY
  /** The last moment at which a heartbeat would have been received and stored. */
  let aliveMs = now()
  let isCutOff = false
  let lastTickMs = aliveMs
  let lastMarkMs = aliveMs
  /** For each other server, up to when its silence is on record. */
  const recordedSilences = new Map<number, number>()

  const add = async (outage: Outage) => {
    await store.recordOutage(outage)
    recorded = [...recorded, outage]
    recent = [...recent, outage]
  }
  const confirmAlive = async (atMs: number) => {
    // Among several servers it was a silence, which the leader knows about.
    if (isCutOff && judges()) await add({ fromMs: aliveMs, toMs: atMs })
    isCutOff = false
    aliveMs = atMs
  }
  /** Call it when something was written that also marks the server as alive. */
  const confirmMark = async (atMs: number) => {
    lastMarkMs = atMs
    await confirmAlive(atMs)
  }
  const markAlive = async (atMs: number) => {
    await store.markAlive(atMs)
    await confirmMark(atMs)
  }
  const reload = async () => {
    recorded = await store.outages()
    recent = recorded
  }
  const untilNow = (outages: readonly Outage[]) =>
    isCutOff ? [...outages, { fromMs: aliveMs, toMs: Number.POSITIVE_INFINITY }] : outages
  /** The rules for a device whose last heartbeat no particular server took. */
  const rules = (): PresenceRules => ({ windowMs, outages: untilNow(recent) })

  return {
    rules,
    /** The rules for a device by the server that took its last heartbeat; undefined if that is unknown. */
    rulesOf: (taker: number | undefined, own?: DeadlineRule): PresenceRules => {
      const ofAll = own === undefined ? rules() : { windowMs, outages: untilNow(recorded), own }
      const silent = silences()
      if (silent.size === 0) return ofAll
      const ofTaker = [...silent].filter(([writer]) => taker === writer || taker === undefined)
      const outages = [...ofAll.outages, ...ofTaker.flatMap(([, spans]) => spans)]
      return { ...ofAll, outages: outages.toSorted((a, b) => a.fromMs - b.fromMs) }
    },
    /** Moves back times written while the clock was ahead. @returns whether there were any */
    correctFuture: async (lastSeenMs: number | null): Promise<boolean> => {
      const mark = await store.aliveMark()
      const nowMs = now()
      const aheadMs = Math.max(mark === 'now' ? 0 : (mark ?? 0), lastSeenMs ?? 0) - nowMs
      if (aheadMs < futureMs) return false
      log.warn({ aheadMs }, 'the clock was ahead when the server last ran, or is behind now')
      await store.clampTimes(nowMs)
      await store.recordOutage({ fromMs: nowMs - windowMs, toMs: nowMs })
      return true
    },
    /** Adds the time since the server was last alive ([P5]). @param lastSeenMs the last heartbeat on record */
    load: async (lastSeenMs: number | null): Promise<void> => {
      const mark = await store.aliveMark()
      let markedMs = mark === 'now' ? now() : mark
      await reload()
      // A committed heartbeat proves as well as a mark that the server was alive.
      if (lastSeenMs !== null) markedMs = Math.max(markedMs ?? 0, lastSeenMs)
      const nowMs = now(markedMs ?? 0)
      if (markedMs !== null && markedMs < nowMs) await add({ fromMs: markedMs, toMs: nowMs })
      await markAlive(nowMs)
    },
    reload,
    beginTick: async (nowMs: number): Promise<void> => {
      const forMs = nowMs - lastTickMs
      lastTickMs = nowMs
      if (forMs >= lateTickMs && judges()) {
        log.warn({ forMs }, 'the machine slept, or its clock was set forward')
        await add({ fromMs: nowMs - forMs, toMs: nowMs })
      }
      if (isCutOff || nowMs - lastMarkMs >= aliveMarkMs) await markAlive(nowMs)
    },
    confirmAlive,
    confirmMark,
    reportFailure: (error: unknown): void => {
      if (error instanceof StorageUnavailable) isCutOff = true
    },
    /** Records the silences of other servers permanently. A silence that lasts is recorded up to now. */
    recordSilences: async (): Promise<void> => {
      for (const [writer, spans] of silences()) {
        for (const { fromMs, toMs } of spans) {
          if (toMs - fromMs <= silenceMs) continue
          if (toMs <= (recordedSilences.get(writer) ?? 0)) continue
          await store.recordUnobserved({ fromMs, toMs }, writer)
          recordedSilences.set(writer, toMs)
        }
      }
    },
    /**
     * After one full window of service each device has either reported or is offline in any case. One with
     * a schedule may take longer.
     */
    forgetOld: async (): Promise<void> => {
      if (recorded.length === 0 || isCutOff) return
      // An outage recorded while the clock was ahead may cover others and end after them.
      const endMs = Math.max(...recorded.map(({ toMs }) => toMs))
      if (now() < endMs + windowMs) return
      recent = []
      if (now() < forgotMs + forgetEveryMs) return
      forgotMs = now()
      const untilMs = Math.min(oldestOwnMs(), endMs)
      if (recorded.every(({ toMs }) => toMs > untilMs)) return
      await store.forgetOutages(untilMs)
      recorded = recorded.filter(({ toMs }) => toMs > untilMs)
    },
  }
}
