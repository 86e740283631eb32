import {
  answerJoinRequest,
  blockUser,
  createInvitation,
  listBlocks,
  listInvitations,
  listJoinRequests,
  listMembers,
  removeMember,
  revokeInvitation,
  unblockUser,
} from '@astropelago/contract/island-members'
import type { AnswerBody, BodyInput } from '@astropelago/contract/route'
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../lib/call.ts'
import { queryKeys } from '../lib/query-keys.ts'
import { ownIslandsQuery } from './own-islands-query.ts'

/** Latest first. Only for the host and the members. */
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

export function blocksQuery(islandId: string) {
  return queryOptions({
    queryKey: [...queryKeys.island(islandId), 'blocks'],
    queryFn: ({ signal }) => call(listBlocks, { params: { id: islandId }, signal }),
  })
}

/** Blocking also ends a membership and drops a join request. */
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

export function invitationsQuery(islandId: string) {
  return queryOptions({
    queryKey: [...queryKeys.island(islandId), 'invitations'],
    queryFn: ({ signal }) => call(listInvitations, { params: { id: islandId }, signal }),
  })
}

export type ShownInvitation = AnswerBody<typeof createInvitation>

/** Only this answer contains the link. */
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
