import {
  listMembers,
  removeMember,
  answerJoinRequest,
  listJoinRequests,
  blockUser,
  listBlocks,
  unblockUser,
  createInvitation,
  listInvitations,
  revokeInvitation,
} from '@astropelago/contract/island-members'
import {
  infiniteQueryOptions,
  useQueryClient,
  queryOptions,
  useMutation,
} from '@tanstack/react-query'
import { useMemo } from 'react'
import type { AnswerBody, BodyInput } from '@astropelago/contract/route'
import { call } from '../lib/call.ts'
import { ownIslandsQuery } from './own-islands-query.ts'
import { queryKeys } from '../lib/query-keys.ts'

/** The members of an island, latest first, page by page. For its host and its members. */
export function membersQuery(islandId: string) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.island(islandId), 'members'],
    queryFn: ({ signal, pageParam }) =>
      call(listMembers, {
        params: { id: islandId },
        query: pageParam === undefined ? {} : { after: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ members, hasMore }) => (hasMore ? members.at(-1)?.username : undefined),
  })
}

/** Removes members from one of the user's islands. */
export function useRemoveMember(islandId: string) {
  const client = useQueryClient()
  return useMemo(
    () => async (username: string) => {
      await call(removeMember, { params: { id: islandId, username } })
      void client.invalidateQueries(ownIslandsQuery)
      await client.invalidateQueries(membersQuery(islandId))
    },
    [client, islandId],
  )
}

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

/** The users blocked from one of the user's islands, latest first. */
export function blocksQuery(islandId: string) {
  return queryOptions({
    queryKey: [...queryKeys.island(islandId), 'blocks'],
    queryFn: ({ signal }) => call(listBlocks, { params: { id: islandId }, signal }),
  })
}

/** Blocks and unblocks users. Blocking also ends a membership and drops a join request. */
export function useBlockChanges(islandId: string) {
  const client = useQueryClient()
  return useMemo(() => {
    const changed = async () => {
      void client.invalidateQueries(ownIslandsQuery)
      void client.invalidateQueries(membersQuery(islandId))
      void client.invalidateQueries(joinRequestsQuery(islandId))
      await client.invalidateQueries(blocksQuery(islandId))
    }
    return {
      block: async (username: string) => {
        await call(blockUser, { params: { id: islandId, username } })
        await changed()
      },
      unblock: async (username: string) => {
        await call(unblockUser, { params: { id: islandId, username } })
        await changed()
      },
    }
  }, [client, islandId])
}

/** The invitations to one of the user's islands, newest first, without their codes. */
export function invitationsQuery(islandId: string) {
  return queryOptions({
    queryKey: [...queryKeys.island(islandId), 'invitations'],
    queryFn: ({ signal }) => call(listInvitations, { params: { id: islandId }, signal }),
  })
}

export type ShownInvitation = AnswerBody<typeof createInvitation>

/** Creates an invitation. Only this answer contains its link. */
export function useCreateInvitation(islandId: string) {
  const client = useQueryClient()
  return async (body: BodyInput<typeof createInvitation>): Promise<ShownInvitation> => {
    const created = await call(createInvitation, { params: { id: islandId }, body })
    const { code: _code, link: _link, ...listed } = created
    const invitations = invitationsQuery(islandId)
    await client.cancelQueries(invitations)
    client.setQueryData(invitations.queryKey, (known) => [listed, ...(known ?? [])])
    return created
  }
}

/** Revokes an invitation and removes it from the list at once. */
export function useRevokeInvitation(islandId: string, onRevoked: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(revokeInvitation, { params: { id } }),
    onSuccess: async (_, revoked) => {
      onRevoked()
      const invitations = invitationsQuery(islandId)
      await client.cancelQueries(invitations)
      client.setQueryData(invitations.queryKey, (known) =>
        known?.filter(({ id }) => id !== revoked),
      )
    },
  })
}
