import { getIslandChart } from '@astropelago/contract/island-directory'
import { useQuery } from '@tanstack/react-query'
import { call } from '../lib/call.ts'
import { listedIslandsEveryMs } from './directory-query.ts'
import { queryKeys } from '../lib/query-keys.ts'

/** The islands on the star chart and the routes between them. */
export function useIslandChart() {
  return useQuery({
    queryKey: [...queryKeys.listedIslands, 'chart'],
    queryFn: ({ signal }) => call(getIslandChart, { signal }),
    refetchInterval: listedIslandsEveryMs,
  })
}
