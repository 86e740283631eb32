import { listSignals } from '@astropelago/contract/island-directory'
import type { AnswerBody } from '@astropelago/contract/route'
import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../lib/call.ts'
import { listedIslandsEveryMs } from './directory-query.ts'
import { queryKeys } from '../lib/query-keys.ts'

/** A host's signal and its island. */
export type IslandSignal = AnswerBody<typeof listSignals>['signals'][number]

/** Signals of listed islands: upcoming events first, then the newest. */
export function useSignals() {
  return useInfiniteQuery({
    queryKey: [...queryKeys.listedIslands, 'signals'],
    queryFn: ({ pageParam, signal }) =>
      call(listSignals, { query: pageParam === '' ? {} : { after: pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: listedIslandsEveryMs,
  })
}
