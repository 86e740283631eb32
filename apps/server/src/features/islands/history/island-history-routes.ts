import { historyDays, uptimeWindows, type Uptime } from '@astropelago/contract/history'
import {
  islandEventsPageLength,
  readIslandHistory as readHistoryRoute,
  readIslandUptime as readUptimeRoute,
  type IslandDay,
  type IslandHistory,
  type IslandUptime,
} from '@astropelago/contract/island-history'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../../../domain-error.ts'
import {
  dayMs,
  secondsOf,
  writeDay,
  type DayTotals,
  type Seen,
  type SeenSpan,
} from '../../../history/time-spans.ts'
import type { UserCaller } from '../../../http/callers.ts'
import type { Serve } from '../../../http/serve-route.ts'
import { newestPosition, readPosition, writePosition } from '../../../page-position.ts'
import { visibleFrom } from '../access-policy.ts'
import { findVisibleIsland } from '../find-island.ts'
import { readVisibleOpenness, type CarrierPresence } from '../island-openness.ts'
import type { IslandsStore } from '../islands-store.ts'
import type { ReadIslandHistory } from './read-island-history.ts'
import type { ListedEvent, TimeOfIsland } from './time-of-island.ts'

export interface IslandHistoryRoutesOptions {
  readonly serve: Serve
  /** The signed-in user; undefined for a visitor. */
  readonly findUser: (request: FastifyRequest) => Promise<UserCaller | undefined>
  readonly islands: Pick<IslandsStore, 'findById'>
  readonly presence: Pick<CarrierPresence, 'statusSince' | 'clock'>
  readonly read: ReadIslandHistory
}

const windowsMs: Readonly<Record<Uptime['window'], number>> = {
  '24h': dayMs,
  '7d': 7 * dayMs,
  '30d': 30 * dayMs,
  '90d': historyDays * dayMs,
}

export async function islandHistoryRoutes(
  app: FastifyInstance,
  { serve, findUser, islands, presence, read }: IslandHistoryRoutesOptions,
) {
  const find = async (request: FastifyRequest, id: string) => {
    const user = await findUser(request)
    return await findVisibleIsland(islands, user?.userKey ?? null, id)
  }

  serve(app, readHistoryRoute, async ({ params, query, request }) => {
    const { island, viewer } = await find(request, params.id)
    const after = readPosition(query.after)
    if (after === undefined) throw new DomainError('invalid_input')
    const time = await read({ islandKey: island.key, visibleFromMs: visibleFrom(island, viewer) })
    const later = time.events.filter(
      ({ atMs, kind }) => atMs < after.atMs || (atMs === after.atMs && kind < after.id),
    )
    const shown = later.slice(0, islandEventsPageLength)
    const last = later.length > shown.length ? shown.at(-1) : undefined
    const isFirst = after === newestPosition
    return {
      status: 200,
      body: {
        from: toIso(time.firstMs),
        days: isFirst ? time.days.slice(-historyDays).map(presentDay) : [],
        spans: isFirst ? time.spans(dayMs).map(presentSpan) : [],
        events: shown.map(presentEvent),
        next: last === undefined ? null : writePosition({ atMs: last.atMs, id: last.kind }),
      },
    }
  })

  serve(app, readUptimeRoute, async ({ params, request }) => {
    const found = await find(request, params.id)
    const { island, viewer } = found
    const [time, openness] = await Promise.all([
      read({ islandKey: island.key, visibleFromMs: visibleFrom(island, viewer) }),
      readVisibleOpenness(found, presence),
    ])
    return { status: 200, body: { ...openness, windows: islandUptimes(time) } }
  })
}

/** The uptime in each window, in their order. */
export function islandUptimes(time: TimeOfIsland): IslandUptime['windows'] {
  return uptimeWindows.map((window) => {
    const { uptime, observed } = time.share(windowsMs[window])
    return { window, uptime, observed }
  })
}

const statusOf = { up: 'open', down: 'closed', unseen: 'unobserved' } as const satisfies Record<
  Seen,
  string
>

function presentDay(day: DayTotals): IslandDay {
  const { up, down, unseen } = secondsOf(day)
  return {
    day: writeDay(day.startMs),
    openS: up,
    closedS: down,
    unobservedS: unseen,
    flips: day.flips,
    status: day.last === null ? null : statusOf[day.last],
  }
}

function presentSpan({ fromMs, toMs, state }: SeenSpan): IslandHistory['spans'][number] {
  return {
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    status: statusOf[state],
  }
}

function presentEvent({ atMs, kind, untilMs }: ListedEvent): IslandHistory['events'][number] {
  return { at: new Date(atMs).toISOString(), kind, until: toIso(untilMs) }
}

function toIso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
