import {
  getDeviceHistory,
  getDeviceUptime,
  historyDays,
  historyPageLength,
  listDeviceStrips,
  type Day,
  type HistoryEvent,
  type Span,
} from '@astropelago/contract/history'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../../domain-error.ts'
import {
  dayMs,
  secondsOf,
  writeDay,
  type DayTotals,
  type Seen,
  type SeenSpan,
  type TimeSpan,
} from '../../history/time-spans.ts'
import { uptimesOf } from '../../history/uptimes.ts'
import type { UserCaller } from '../../http/callers.ts'
import type { Serve } from '../../http/serve-route.ts'
import { isoTime } from '../../iso-time.ts'
import {
  cutPage,
  newestPosition,
  readPosition,
  writePosition,
  type PagePosition,
} from '../../page-position.ts'
import type { DevicesFeature } from '../devices/public.ts'
import type { Presence } from '../presence/public.ts'
import type { Flip, HistoryStore } from './history-store.ts'
import type { ReadHistory } from './read-history.ts'

interface AskedDevice {
  readonly user: UserCaller | undefined
  readonly request: FastifyRequest
  readonly params: { readonly id: string }
}

export interface HistoryRoutesOptions {
  readonly serve: Serve
  readonly findUser: (request: FastifyRequest) => Promise<UserCaller | undefined>
  readonly findDevice: DevicesFeature['findForAnyone']
  readonly presence: Pick<Presence, 'statusSince'>
  readonly history: ReadHistory
  readonly store: Pick<HistoryStore, 'newestFlips'>
}

export async function historyRoutes(app: FastifyInstance, options: HistoryRoutesOptions) {
  const { serve, findUser, findDevice, presence, history, store } = options

  const find = async ({ user: keyHolder, request, params: { id } }: AskedDevice) => {
    const user = keyHolder ?? (await findUser(request))
    const found = await findDevice(user?.userKey ?? null, id)
    if (found === undefined) throw new DomainError('not_found')
    const { key: deviceKey, publicSinceMs } = found.device
    return {
      deviceKey,
      // Only the owner sees what happened while the device was private.
      visibleFromMs: found.isOwn ? 0 : (publicSinceMs ?? Number.MAX_SAFE_INTEGER),
    }
  }

  serve(app, getDeviceHistory, async (call) => {
    const after = readPosition(call.query.after)
    if (after === undefined) throw new DomainError('invalid_input')
    const device = await find(call)
    const [time, unobserved] = await Promise.all([history.of(device), history.readUnobserved()])
    const { deviceKey } = device
    const { firstMs, unrecorded } = time
    const { events, next } =
      firstMs === null
        ? { events: [], next: null }
        : await listEvents(store, { deviceKey, firstMs, unrecorded, unobserved, after })
    const isFirst = after === newestPosition
    return {
      status: 200,
      body: {
        days: isFirst ? time.days(historyDays).map(presentDay) : [],
        spans: isFirst ? time.spans(dayMs).map(presentSpan) : [],
        events,
        next,
      },
    }
  })

  serve(app, getDeviceUptime, async (call) => {
    const device = await find(call)
    const [time, { status, sinceMs }] = await Promise.all([
      history.of(device),
      presence.statusSince(device.deviceKey),
    ])
    const mayKnow = sinceMs !== null && sinceMs >= device.visibleFromMs
    const since = mayKnow ? isoTime(sinceMs) : null
    return { status: 200, body: { status, since, windows: uptimesOf(time) } }
  })

  serve(app, listDeviceStrips, async ({ user }) => {
    const strips = await history.ofOwn(user.userKey)
    return { status: 200, body: strips.map(({ id, days }) => ({ id, days: days.map(presentDay) })) }
  })
}

/** Flips of a device and outages, newest first. At one time they are sorted by the name of their kind. */
export async function listEvents(
  store: Pick<HistoryStore, 'newestFlips'>,
  {
    deviceKey,
    firstMs,
    unrecorded,
    unobserved,
    after,
    pageLength = historyPageLength,
  }: {
    readonly deviceKey: number
    /** The reader sees no events before this. */
    readonly firstMs: number
    readonly unrecorded: Flip | null
    readonly unobserved: readonly TimeSpan[]
    /** The id of a position is the kind of its event. */
    readonly after: PagePosition
    readonly pageLength?: number
  },
): Promise<{ readonly events: HistoryEvent[]; readonly next: string | null }> {
  const flips = await store.newestFlips(deviceKey, {
    sinceMs: firstMs,
    beforeMs: after.atMs,
    beforeStatus: after.id,
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
  const { shown, last } = cutPage(found, pageLength)
  return {
    events: shown.map((event) => {
      const at = isoTime(event.atMs)
      if (event.kind !== 'unobserved') return { kind: event.kind, at }
      return { kind: event.kind, at, until: isoTime(event.toMs) }
    }),
    next: last === undefined ? null : writePosition({ atMs: last.atMs, id: last.kind }),
  }
}

const statusOf = { up: 'online', down: 'offline', unseen: 'unobserved' } as const satisfies Record<
  Seen,
  string
>

function presentDay(day: DayTotals): Day {
  const { up, down, unseen } = secondsOf(day)
  return {
    day: writeDay(day.startMs),
    onlineS: up,
    offlineS: down,
    unobservedS: unseen,
    flips: day.flips,
    status: day.last === null ? 'unknown' : statusOf[day.last],
  }
}

function presentSpan({ fromMs, toMs, state }: SeenSpan): Span {
  return { from: isoTime(fromMs), to: isoTime(toMs), status: statusOf[state] }
}
