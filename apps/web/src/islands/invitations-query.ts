import {
  createInvitation,
  listInvitations,
  revokeInvitation,
} from '@astropelago/contract/island-members'
import type { AnswerBody, BodyInput } from '@astropelago/contract/route'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../lib/call.ts'
import { queryKeys } from '../lib/query-keys.ts'

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
