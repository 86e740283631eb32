import {
  type ApiKey,
  createApiKey,
  listApiKeys,
  type NewApiKey,
  revokeApiKey,
} from '@astropelago/contract/api-keys'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

export const apiKeysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: ({ signal }) => call(listApiKeys, { signal }),
})

export type ShownApiKey = ApiKey & { readonly key: string }

/** Creates a key. Only this response contains its secret. */
export function useCreateApiKey(onCreated: (key: ShownApiKey) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: NewApiKey) => call(createApiKey, { body }),
    onSuccess: async (created) => {
      onCreated(created)
      const { key: _, ...listed } = created
      await client.cancelQueries(apiKeysQuery)
      client.setQueryData(apiKeysQuery.queryKey, (keys) => [...(keys ?? []), listed])
    },
    // This is the only copy. It is dropped together with the component that shows it.
    gcTime: 0,
  })
}

/** Revokes a key. It leaves the list at once, so the component that shows it unmounts. */
export function useRevokeApiKey(onRevoked: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(revokeApiKey, { params: { id } }),
    onSuccess: async (_, revoked) => {
      onRevoked()
      await client.cancelQueries(apiKeysQuery)
      client.setQueryData(apiKeysQuery.queryKey, (keys) => keys?.filter(({ id }) => id !== revoked))
    },
  })
}
