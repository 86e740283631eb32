import { listOwnDevices } from '@astropelago/contract/devices'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../lib/call.ts'
import { queryKeys } from '../lib/query-keys.ts'

export const ownDevicesQuery = queryOptions({
  queryKey: queryKeys.ownDevices,
  queryFn: ({ signal }) => call(listOwnDevices, { signal }),
})
