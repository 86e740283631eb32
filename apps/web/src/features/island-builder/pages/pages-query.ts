import { getPages, type HostedPages } from '@astropelago/contract/hosted-pages'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { ownIslandsQuery } from '../../../islands/own-islands-query.ts'
import { call } from '../../../lib/call.ts'
import { queryKeys } from '../../../lib/query-keys.ts'

export const hostedPagesQuery = (id: string) =>
  queryOptions({
    queryKey: [...queryKeys.island(id), 'pages'],
    queryFn: ({ signal }) => call(getPages, { params: { id }, signal }),
  })

export const liveDeployment = ({ deployments }: HostedPages) =>
  deployments.find(({ isLive }) => isLive)

/** Returns a function to call after an island's pages changed, which can open or close the island. */
export function usePagesChanged(): (id: string) => Promise<unknown> {
  const client = useQueryClient()
  return (id) =>
    Promise.all([
      client.invalidateQueries(hostedPagesQuery(id)),
      client.invalidateQueries(ownIslandsQuery),
    ])
}
