import {
  getStatusPageSettings,
  type StatusPageChanges,
  updateStatusPage,
} from '@astropelago/contract/status-pages'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

export const statusPageQuery = queryOptions({
  queryKey: ['status-page'],
  queryFn: ({ signal }) => call(getStatusPageSettings, { signal }),
})

const mutationKey = ['status-page', 'change']

/** Changes the status page. The screen updates at once, and a failed change is rolled back. */
export function useChangeStatusPage() {
  const client = useQueryClient()
  const isLast = () => client.isMutating({ mutationKey }) === 1
  return useMutation({
    mutationKey,
    mutationFn: (body: StatusPageChanges) => call(updateStatusPage, { body }),
    // Requests run one at a time, so the last press wins.
    scope: { id: 'status-page' },
    onMutate: async (changes) => {
      await client.cancelQueries(statusPageQuery)
      client.setQueryData(statusPageQuery.queryKey, (before) => before && { ...before, ...changes })
    },
    onSuccess: (settings) => {
      // A later change is newer than this response.
      if (isLast()) client.setQueryData(statusPageQuery.queryKey, settings)
    },
    onError: async () => {
      if (isLast()) await client.invalidateQueries(statusPageQuery)
    },
  })
}
