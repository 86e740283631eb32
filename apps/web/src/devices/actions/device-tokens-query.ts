import {
  type DeviceToken,
  listDeviceTokens,
  revokeDeviceToken,
} from '@astropelago/contract/devices'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { queryKeys } from '../../lib/query-keys.ts'

function deviceTokensQuery(deviceId: string) {
  return queryOptions({
    queryKey: [...queryKeys.device(deviceId), 'tokens'],
    queryFn: ({ signal }) => call(listDeviceTokens, { params: { id: deviceId }, signal }),
  })
}

export function useDeviceTokens(deviceId: string) {
  return useQuery(deviceTokensQuery(deviceId))
}

/**
 * Revokes a device token and removes it from the list at once. That unmounts its item, and callbacks of
 * `mutate` do not run after unmounting, so `onRevoked` is called here.
 */
export function useRevokeToken(deviceId: string, onRevoked: () => void) {
  const client = useQueryClient()
  const query = deviceTokensQuery(deviceId)
  return useMutation({
    mutationFn: (token: DeviceToken) => call(revokeDeviceToken, { params: { id: token.id } }),
    onSuccess: async (_, { id }) => {
      onRevoked()
      await client.cancelQueries(query)
      client.setQueryData(query.queryKey, (tokens) => tokens?.filter((token) => token.id !== id))
    },
  })
}
