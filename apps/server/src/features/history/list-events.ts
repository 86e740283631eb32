import { historyPageLength, type HistoryEvent } from '@astropelago/contract/history'
import type { TimeSpan } from '../../history/time-spans.ts'
import { isoTime } from '../../iso-time.ts'
import { writePosition, type PagePosition } from '../../page-position.ts'
import type { Flip, HistoryStore } from './history-store.ts'

interface EventsOf {
  readonly deviceKey: number
  /** The reader sees no events before this. */
  readonly firstMs: number
  readonly unrecorded: Flip | null
  readonly unobserved: readonly TimeSpan[]
  /** The id of a position is the kind of its event. */
  readonly after: PagePosition
  readonly pageLength?: number
}

/** Flips of a device and outages, newest first. At one time they are sorted by the name of their kind. */
export async function listEvents(
  store: Pick<HistoryStore, 'newestFlips'>,
  { deviceKey, firstMs, unrecorded, unobserved, after, pageLength = historyPageLength }: EventsOf,
): Promise<{ readonly events: HistoryEvent[]; readonly next: string | null }> {
  const flips = await store.newestFlips(deviceKey, {
    sinceMs: firstMs,
    beforeMs: after.atMs,
    beforeStatus: after.id,
    // One more than is shown tells whether there are more.
    limit: pageLength + 1,
  })
  const isNew = unrecorded !== null && !flips.some(({ atMs }) => atMs >= unrecorded.atMs)
  const outages = unobserved
    .filter(({ toMs }) => toMs > firstMs)
    .map(({ fromMs, toMs }) => {
      const atMs = Math.max(fromMs, firstMs)
      return { kind: 'unobserved' as const, atMs, toMs }
    })
  const changes = [...(isNew ? [unrecorded] : []), ...flips]
  const found = [...outages, ...changes.map(({ status, atMs }) => ({ kind: status, atMs }))]
    .filter(({ atMs, kind }) => atMs < after.atMs || (atMs === after.atMs && kind < after.id))
    .toSorted((one, other) => other.atMs - one.atMs || (one.kind < other.kind ? 1 : -1))
  const shown = found.slice(0, pageLength)
  const last = found.length > pageLength ? shown.at(-1) : undefined
  return {
    events: shown.map((event) => {
      const at = isoTime(event.atMs)
      if (event.kind !== 'unobserved') return { kind: event.kind, at }
      return { kind: event.kind, at, until: isoTime(event.toMs) }
    }),
    next: last === undefined ? null : writePosition({ atMs: last.atMs, id: last.kind }),
  }
}
