import { answerJoinRequest, listJoinRequests } from '@astropelago/contract/island-members'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../lib/call.ts'
import { membersQuery } from './members-query.ts'
import { ownIslandsQuery } from './own-islands-query.ts'
import { queryKeys } from '../lib/query-keys.ts'

/** The join requests for one of the user's islands, oldest first. */
export function joinRequestsQuery(islandId: string) {
  return queryOptions({
    queryKey: queryKeys.islandRequests(islandId),
    queryFn: ({ signal }) => call(listJoinRequests, { params: { id: islandId }, signal }),
  })
}

interface Answered {
  readonly username: string
  readonly isLetIn: boolean
}

/** Answers a request and removes it from the list at once. */
export function useAnswerJoinRequest(islandId: string, onAnswered: (answered: Answered) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ username, isLetIn }: Answered) =>
      call(answerJoinRequest, { params: { id: islandId, username }, body: { isLetIn } }),
    onSuccess: async (_, answered) => {
      const requests = joinRequestsQuery(islandId)
      await client.cancelQueries(requests)
      client.setQueryData(requests.queryKey, (waiting) =>
        waiting?.filter(({ username }) => username !== answered.username),
      )
      void client.invalidateQueries(ownIslandsQuery)
      if (answered.isLetIn) void client.invalidateQueries(membersQuery(islandId))
      onAnswered(answered)
    },
  })
}
