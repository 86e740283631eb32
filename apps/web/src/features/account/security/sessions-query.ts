import { endOtherSessions, endSession, listSessions } from '@astropelago/contract/sessions'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call(listSessions, { signal }),
})

/** Ends a session. It leaves the list at once, so the component that shows it unmounts. */
export function useEndSession(onEnded: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(endSession, { params: { id } }),
    onSuccess: async (_, ended) => {
      onEnded()
      await client.cancelQueries(sessionsQuery)
      client.setQueryData(sessionsQuery.queryKey, (sessions) =>
        sessions?.filter(({ id }) => id !== ended),
      )
    },
  })
}

/** Ends all sessions except this one. */
export function useEndOtherSessions(onEnded: (count: number) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(endOtherSessions),
    onSuccess: async ({ ended }) => {
      onEnded(ended)
      await client.cancelQueries(sessionsQuery)
      client.setQueryData(sessionsQuery.queryKey, (sessions) =>
        sessions?.filter(({ isCurrent }) => isCurrent),
      )
    },
  })
}
