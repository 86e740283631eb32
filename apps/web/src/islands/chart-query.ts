import { getIslandChart } from '@astropelago/contract/island-directory'
import { useQuery } from '@tanstack/react-query'
import { call } from '../lib/call.ts'
import { listedIslandsEveryMs, listedIslandsKey } from './directory-query.ts'

/** The islands on the star chart and the routes between them. */
export function useIslandChart() {
  return useQuery({
    queryKey: [listedIslandsKey, 'chart'],
    queryFn: ({ signal }) => call(getIslandChart, { signal }),
    refetchInterval: listedIslandsEveryMs,
  })
}
