import { search, type SearchResults } from '@astropelago/contract/search'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'

/** The pause in typing before a request, so that a word takes one or two requests. */
const settleMs = 200
/** The rate limit applies to ten seconds, so part of it is free again after this time. */
const limitedRetryMs = 2500
const limitedRetries = 5
const freshMs = 30_000

export type Search =
  | { readonly state: 'idle' }
  /** The previous search's results, to show in the meantime. */
  | { readonly state: 'searching'; readonly results: SearchResults | undefined }
  | { readonly state: 'found'; readonly results: SearchResults }
  | { readonly state: 'failed'; readonly retry: () => void }

/** Waits for a pause in typing, unless `isUrgent`. */
export function useNetworkSearch(
  typed: string,
  { isUrgent }: { readonly isUrgent: boolean },
): Search {
  const text = typed.trim()
  const settled = useSettled(text)
  const asked = isUrgent ? text : settled
  const query = useQuery({
    queryKey: ['search', asked],
    queryFn: ({ signal }) => call(search, { query: { q: asked }, signal }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
    staleTime: freshMs,
    retry: (failures, error) => isLimited(error) && failures < limitedRetries,
    retryDelay: limitedRetryMs,
  })
  if (text === '') return { state: 'idle' }
  if (query.isError && asked === text) {
    return { state: 'failed', retry: () => void query.refetch() }
  }
  if (query.data === undefined || query.isPlaceholderData || asked !== text) {
    return { state: 'searching', results: query.data }
  }
  return { state: 'found', results: query.data }
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settleMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

function isLimited(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'rate_limited'
}
