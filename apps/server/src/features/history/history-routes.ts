import {
  getDeviceHistory,
  getDeviceUptime,
  historyDays,
  listDeviceStrips,
  type Day,
  type Span,
} from '@astropelago/contract/history'
import type { Status } from '@astropelago/contract/devices'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../../domain-error.ts'
import {
  dayMs,
  secondsOf,
  writeDay,
  type DayTotals,
  type Seen,
  type SeenSpan,
} from '../../history/time-spans.ts'
import type { UserCaller } from '../../http/callers.ts'
import type { Serve } from '../../http/serve-route.ts'
import { newestPosition, readPosition } from '../../page-position.ts'
import type { HistoryStore } from './history-store.ts'
import { listEvents } from './list-events.ts'
import { uptimesOf, type ReadHistory, type VisibleDevice } from './read-history.ts'

/** A device that the caller may know about. */
export interface FoundDevice {
  readonly device: { readonly key: number }
  readonly isOwn: boolean
  /** Null while the device is private. */
  readonly publicSinceMs: number | null
}

interface AskedDevice {
  /** The user of an API key. */
  readonly user: UserCaller | undefined
  readonly request: FastifyRequest
  readonly params: { readonly id: string }
}

interface HistoryRoutesOptions {
  readonly serve: Serve
  /** The signed-in user; undefined for a visitor. */
  readonly findUser: (request: FastifyRequest) => Promise<UserCaller | undefined>
  /** Public devices, and the user's own; `userKey` is null for a visitor. */
  readonly findDevice: (userKey: number | null, id: string) => Promise<FoundDevice | undefined>
  readonly statusSince: (
    deviceKey: number,
  ) => Promise<{ readonly status: Status; readonly sinceMs: number | null }>
  readonly history: ReadHistory
  readonly store: Pick<HistoryStore, 'newestFlips'>
}

export async function historyRoutes(app: FastifyInstance, options: HistoryRoutesOptions) {
  const { serve, findUser, findDevice, statusSince, history, store } = options

  const find = async ({ user: keyHolder, request, params: { id } }: AskedDevice) => {
    const user = keyHolder ?? (await findUser(request))
    const found = await findDevice(user?.userKey ?? null, id)
    if (found === undefined) throw new DomainError('not_found')
    const { device, isOwn, publicSinceMs } = found
    // Only the owner sees what happened while the device was private.
    return {
      deviceKey: device.key,
      visibleFromMs: isOwn ? 0 : (publicSinceMs ?? Number.MAX_SAFE_INTEGER),
    } satisfies VisibleDevice
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
      statusSince(device.deviceKey),
    ])
    const isAlerted = sinceMs !== null && sinceMs >= device.visibleFromMs
    return {
      status: 200,
      body: {
        status,
        since: isAlerted ? new Date(sinceMs).toISOString() : null,
        windows: uptimesOf(time),
      },
    }
  })

  serve(app, listDeviceStrips, async ({ user }) => {
    const strips = await history.ofOwn(user.userKey)
    return { status: 200, body: strips.map(({ id, days }) => ({ id, days: days.map(presentDay) })) }
  })
}

const statusOf = { up: 'online', down: 'offline', unseen: 'unobserved' } as const satisfies Record<
  Seen,
  string
>

/** The same for every reader who may know about the day. */
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
  return {
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    status: statusOf[state],
  }
}
