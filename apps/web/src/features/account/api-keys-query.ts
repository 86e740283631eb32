import {
  type ApiKey,
  createApiKey,
  listApiKeys,
  type NewApiKey,
} from '@astropelago/contract/api-keys'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

export const apiKeysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: ({ signal }) => call(listApiKeys, { signal }),
})

export type ShownApiKey = ApiKey & { readonly key: string }

/** Creates a key. Only this response contains its secret. */
export function useCreateApiKey() {
  const client = useQueryClient()
  return async (body: NewApiKey): Promise<ShownApiKey> => {
    const created = await call(createApiKey, { body })
    const { key: _, ...listed } = created
    await client.cancelQueries(apiKeysQuery)
    client.setQueryData(apiKeysQuery.queryKey, (keys) => [...(keys ?? []), listed])
    return created
  }
}
