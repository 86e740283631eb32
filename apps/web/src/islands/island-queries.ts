import { readLog } from '@astropelago/contract/island-log'
import { checkSlug, getIsland } from '@astropelago/contract/islands'
import { getIslandPort } from '@astropelago/contract/relay-ports'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '../lib/call.ts'
import { queryKeys } from '../lib/query-keys.ts'

/** By the current slug or a former one. */
export function islandQuery(slug: string) {
  return queryOptions({
    queryKey: [...queryKeys.islandViews, slug],
    queryFn: ({ signal }) => call(getIsland, { params: { slug }, signal }),
  })
}

export function islandLogQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: queryKeys.islandLog(id),
    queryFn: ({ pageParam, signal }) =>
      call(readLog, {
        params: { id },
        query: pageParam === '' ? {} : { after: pageParam },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
}

/** Each request admits the viewer's network for several hours. An open page keeps renewing that. */
const askAgainMs = 30 * 60_000

export function islandPortQuery(islandId: string) {
  return queryOptions({
    queryKey: [...queryKeys.island(islandId), 'port'],
    queryFn: ({ signal }) => call(getIslandPort, { params: { id: islandId }, signal }),
    refetchInterval: askAgainMs,
  })
}

/** Somebody else may take the slug meanwhile, so typing it again checks it again. */
const freshMs = 10_000

/** The slug has to be well-formed. */
export function slugCheckQuery(slug: string) {
  return queryOptions({
    queryKey: ['slug-check', slug],
    queryFn: ({ signal }) => call(checkSlug, { params: { slug }, signal }),
    staleTime: freshMs,
    gcTime: freshMs,
    retry: false,
  })
}
