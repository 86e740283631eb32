import {
  getStatusPageSettings,
  type StatusPageChanges,
  type StatusPageSettings,
  updateStatusPage,
} from '@astropelago/contract/status-pages'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

export const statusPageQuery = queryOptions({
  queryKey: ['status-page'],
  queryFn: ({ signal }) => call(getStatusPageSettings, { signal }),
})

const mutationKey = ['status-page', 'change']

/** Changes the page; what stands on the screen follows at once, and what failed is taken back. */
export function useChangeStatusPage(onChanged?: (settings: StatusPageSettings) => void) {
  const client = useQueryClient()
  const isLast = () => client.isMutating({ mutationKey }) === 1
  return useMutation({
    mutationKey,
    mutationFn: (body: StatusPageChanges) => call(updateStatusPage, { body }),
    // One after the other: the last press counts.
    scope: { id: 'status-page' },
    onMutate: async (changes) => {
      await client.cancelQueries(statusPageQuery)
      client.setQueryData(statusPageQuery.queryKey, (before) => before && { ...before, ...changes })
    },
    onSuccess: (settings) => {
      // What was pressed meanwhile is newer.
      if (isLast()) client.setQueryData(statusPageQuery.queryKey, settings)
      onChanged?.(settings)
    },
    onError: async () => {
      if (isLast()) await client.invalidateQueries(statusPageQuery)
    },
  })
}
