import { listLogs } from '@astropelago/contract/all-logs'
import { directoryPageLength, listSignals } from '@astropelago/contract/island-directory'
import { logPageLength, type ActivityItem } from '@astropelago/contract/island-log'
import { membershipsPerUser } from '@astropelago/contract/limits'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../../domain-error.ts'
import { cutPage, readPosition, writePosition } from '../../../page-position.ts'
import { PacedAnswer } from '../../../paced-answer.ts'
import { isHost, isInDirectory } from '../access-policy.ts'
import { findIfVisibleBySlug, isReadable } from '../find-island.ts'
import type { IslandsRoutesContext } from '../islands-context.ts'
import type { FoundIsland, IslandsStore } from '../islands-store.ts'
import { readCard } from '../present-island.ts'
import { presentLogEntry } from './log-routes.ts'
import type { LogPage, LogRecord, LogStore } from './log-store.ts'

/** @param context its `islands` read from `longReads` */
export async function allLogsRoutes(
  app: FastifyInstance,
  context: IslandsRoutesContext & { readonly log: LogStore },
) {
  const { serve, findUser, islands, log, listFollowed } = context

  const findSome = async (readerKey: number | null, slug: string | undefined) => {
    if (slug !== undefined) {
      const found = await findIfVisibleBySlug(context, readerKey, slug)
      return found !== undefined && isReadable(found) ? [found] : []
    }
    if (readerKey === null) return []
    return await listReadable(islands, readerKey, await listFollowed(readerKey))
  }

  serve(app, listLogs, async ({ request, query }) => {
    const after = readPosition(query.after)
    if (after === undefined) throw new DomainError('invalid_input')
    const readerKey = (await findUser(request))?.userKey ?? null
    const page = { readerKey, after, kind: query.kind, limit: logPageLength + 1 }
    const some = await findSome(readerKey, query.island)
    const isOfSome = query.island !== undefined || query.whose === 'own'
    const entries = isOfSome
      ? await log.read(some.map(logOf), page)
      : await log.readAll({ ...page, ownKeys: some.map(({ island }) => island.key) })

    const { shown, last } = cutPage(entries, logPageLength)
    const keys = [...new Set(shown.map(({ islandKey }) => islandKey))]
    // Read again, because islands may have changed since.
    const found = await islands.findManyByKey(readerKey, keys)
    const one = query.island === undefined ? undefined : some[0]?.island
    return {
      status: 200,
      body: {
        entries: presentEntries(shown, found.filter(isReadable)),
        island: one === undefined ? null : { id: one.id, slug: one.slug, name: one.name },
        next: last === undefined ? null : writePosition(last),
      },
    }
  })
}

/** The answer is the same for all readers. */
export async function signalsRoutes(
  app: FastifyInstance,
  context: IslandsRoutesContext & { readonly log: LogStore },
) {
  const { serve, clock, presence, islands, log } = context
  const list = (afterId?: string) =>
    log.listPublicSignals({ nowMs: clock(), afterId, limit: directoryPageLength + 1 })
  /** Entries of a cached page may have changed since. */
  const readAgain = async (cached: readonly LogRecord[]) => {
    const found = await log.find(cached.map(({ id }) => id))
    const byId = new Map(found.map((entry) => [entry.id, entry]))
    return cached.flatMap(({ id }) => byId.get(id) ?? []).filter(({ hidden }) => hidden === null)
  }
  const first = new PacedAnswer({ make: () => list(), clock })

  serve(app, listSignals, async ({ query: { after } }) => {
    const page = after === undefined ? await first.get() : await list(after)
    const { shown, last } = cutPage(page, directoryPageLength)
    const entries = after === undefined ? await readAgain(shown) : shown
    const keys = [...new Set(entries.map(({ islandKey }) => islandKey))]
    const read = await islands.findManyByKey(null, keys)
    const listed = read.filter(({ island }) => island.access === 'public' && isInDirectory(island))
    const cards = listed.map(async (found) => {
      return [found.island.key, { found, card: await readCard(found, presence) }] as const
    })
    const byKey = new Map(await Promise.all(cards))
    const signals = entries.flatMap((entry) => {
      const its = byKey.get(entry.islandKey)
      return its === undefined
        ? []
        : [{ island: its.card, entry: presentLogEntry(entry, its.found) }]
    })
    const next = last === undefined ? null : (entries.at(-1)?.id ?? null)
    return { status: 200, body: { signals, next } }
  })
}

/** Newest first. */
export async function readOwnLog(
  islands: IslandsStore,
  log: LogStore,
  userKey: number,
  page: Pick<LogPage, 'after' | 'limit'>,
): Promise<readonly Extract<ActivityItem, { type: 'log' }>[]> {
  const own = await listReadable(islands, userKey)
  if (own.length === 0) return []
  const entries = await log.read(own.map(logOf), { readerKey: userKey, ...page })
  return presentEntries(entries, own).map(({ island, entry }) => ({
    type: 'log',
    id: entry.id,
    at: entry.at,
    island,
    entry,
  }))
}

/** Includes `otherKeys`. */
async function listReadable(
  islands: IslandsStore,
  userKey: number,
  otherKeys: readonly number[] = [],
): Promise<readonly FoundIsland[]> {
  const lists = await Promise.all([
    islands.listHosted(userKey),
    islands.listJoined(userKey, membershipsPerUser),
    otherKeys.length === 0 ? [] : islands.findManyByKey(userKey, otherKeys),
  ])
  const byKey = new Map(lists.flat().map((found) => [found.island.key, found]))
  return [...byKey.values()].filter(isReadable)
}

function presentEntries(entries: readonly LogRecord[], islands: readonly FoundIsland[]) {
  const byKey = new Map(islands.map((found) => [found.island.key, found]))
  return entries.flatMap((entry) => {
    const found = byKey.get(entry.islandKey)
    if (found === undefined) return []
    const { slug, name } = found.island
    return [{ island: { slug, name }, entry: presentLogEntry(entry, found) }]
  })
}

function logOf({ island, viewer }: FoundIsland) {
  return { islandKey: island.key, isHost: isHost(island, viewer) }
}
