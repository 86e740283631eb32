import { listLogs } from '@astropelago/contract/all-logs'
import { logPageLength } from '@astropelago/contract/island-log'
import { membershipsPerUser } from '@astropelago/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../../clock.ts'
import { DomainError } from '../../../domain-error.ts'
import { readPosition, writePosition } from '../../../page-position.ts'
import { isHost, mayEnter } from '../access-policy.ts'
import { findVisibleIslandBySlug, unlessUnknown } from '../find-island.ts'
import type { FoundIsland, IslandsStore } from '../islands-store.ts'
import { oldSlugMs } from '../slugs.ts'
import type { LogRoutesOptions } from './log-routes.ts'
import type { LogStore } from './log-store.ts'
import { presentLogEntry } from './present-log-entry.ts'

export interface AllLogsRoutesOptions extends Pick<LogRoutesOptions, 'serve' | 'findUser'> {
  readonly clock: Clock
  readonly islands: Pick<IslandsStore, 'findBySlug' | 'findManyByKey' | 'listHosted' | 'listJoined'>
  readonly log: Pick<LogStore, 'read' | 'readAll'>
  /** The keys of islands that a user follows, whether or not the user may see them now. */
  readonly listFollowed: (userKey: number) => Promise<readonly number[]>
}

/** All logs that a user may read, merged into one. */
export async function allLogsRoutes(app: FastifyInstance, options: AllLogsRoutesOptions) {
  const { serve, findUser, clock, islands, log, listFollowed } = options

  const findOne = async (readerKey: number | null, slug: string) => {
    const oldSinceMs = clock() - oldSlugMs
    const found = await unlessUnknown(() =>
      findVisibleIslandBySlug(islands, readerKey, { slug, oldSinceMs }),
    )
    return found !== undefined && isReadable(found) ? found : undefined
  }
  const listOwn = async (readerKey: number | null) => {
    if (readerKey === null) return []
    const lists = await Promise.all([
      islands.listHosted(readerKey),
      islands.listJoined(readerKey, membershipsPerUser),
      islands.findManyByKey(readerKey, await listFollowed(readerKey)),
    ])
    const byKey = new Map(lists.flat().map((found) => [found.island.key, found]))
    return [...byKey.values()].filter(isReadable)
  }

  serve(app, listLogs, async ({ request, query }) => {
    const after = readPosition(query.after)
    if (after === undefined) throw new DomainError('invalid_input')
    const readerKey = (await findUser(request))?.userKey ?? null
    // One more than the page shows, to know whether there are more.
    const page = { readerKey, after, kind: query.kind, limit: logPageLength + 1 }
    const one = query.island === undefined ? undefined : await findOne(readerKey, query.island)
    const isOfSome = query.island !== undefined || query.whose === 'own'
    const some = query.island === undefined ? await listOwn(readerKey) : one ? [one] : []
    const entries = isOfSome
      ? await log.read(some.map(logOf), page)
      : await log.readAll({ ...page, ownKeys: some.map(({ island }) => island.key) })

    const shown = entries.slice(0, logPageLength)
    const last = entries.length > shown.length ? shown.at(-1) : undefined
    const keys = [...new Set(shown.map(({ islandKey }) => islandKey))]
    const found = await islands.findManyByKey(readerKey, keys)
    // Read again, because islands may have changed since.
    const byKey = new Map(found.filter(isReadable).map((its) => [its.island.key, its]))
    return {
      status: 200,
      body: {
        entries: shown.flatMap((entry) => {
          const its = byKey.get(entry.islandKey)
          if (its === undefined) return []
          const { slug, name } = its.island
          return [{ island: { slug, name }, entry: presentLogEntry(entry, its) }]
        }),
        island: one === undefined ? null : nameOf(one),
        next: last === undefined ? null : writePosition(last),
      },
    }
  })
}

function isReadable({ island, viewer }: FoundIsland): boolean {
  return mayEnter(island, viewer)
}

function logOf({ island, viewer }: FoundIsland) {
  return { islandKey: island.key, isHost: isHost(island, viewer) }
}

function nameOf({ island: { id, slug, name } }: FoundIsland) {
  return { id, slug, name }
}
