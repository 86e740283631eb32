import { historyDays } from '@astropelago/contract/history'
import {
  islandEventsPageLength,
  readIslandHistory as readHistoryRoute,
  readIslandUptime as readUptimeRoute,
  type IslandDay,
} from '@astropelago/contract/island-history'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../../../domain-error.ts'
import {
  dayMs,
  secondsOf,
  writeDay,
  type DayTotals,
  type Seen,
} from '../../../history/time-spans.ts'
import { uptimesOf } from '../../../history/uptimes.ts'
import { isoTime } from '../../../iso-time.ts'
import { cutPage, newestPosition, readPosition, writePosition } from '../../../page-position.ts'
import { findVisibleIsland } from '../find-island.ts'
import { readVisibleOpenness } from '../island-openness.ts'
import type { IslandsRoutesContext } from '../islands-context.ts'
import type { ReadIslandHistory } from './read-island-history.ts'

export async function islandHistoryRoutes(
  app: FastifyInstance,
  context: IslandsRoutesContext & { readonly read: ReadIslandHistory },
) {
  const { serve, findUser, islands, presence, read } = context
  const find = async (request: FastifyRequest, id: string) => {
    const user = await findUser(request)
    return await findVisibleIsland(islands, user?.userKey ?? null, id)
  }

  serve(app, readHistoryRoute, async ({ params, query, request }) => {
    const found = await find(request, params.id)
    const after = readPosition(query.after)
    if (after === undefined) throw new DomainError('invalid_input')
    const time = await read(found.island, found.viewer)
    const later = time.events.filter(
      ({ atMs, kind }) => atMs < after.atMs || (atMs === after.atMs && kind < after.id),
    )
    const { shown, last } = cutPage(later, islandEventsPageLength)
    const isFirst = after === newestPosition
    return {
      status: 200,
      body: {
        from: isoTime(time.firstMs),
        days: isFirst ? time.days.slice(-historyDays).map(presentDay) : [],
        spans: (isFirst ? time.spans(dayMs) : []).map(({ fromMs, toMs, state }) => ({
          from: isoTime(fromMs),
          to: isoTime(toMs),
          status: statusOf[state],
        })),
        events: shown.map(({ atMs, kind, untilMs }) => ({
          at: isoTime(atMs),
          kind,
          until: isoTime(untilMs),
        })),
        next: last === undefined ? null : writePosition({ atMs: last.atMs, id: last.kind }),
      },
    }
  })

  serve(app, readUptimeRoute, async ({ params, request }) => {
    const found = await find(request, params.id)
    const [time, openness] = await Promise.all([
      read(found.island, found.viewer),
      readVisibleOpenness(found, presence),
    ])
    return { status: 200, body: { ...openness, windows: uptimesOf(time) } }
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
