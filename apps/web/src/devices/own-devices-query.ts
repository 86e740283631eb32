import { listOwnDevices } from '@astropelago/contract/devices'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../lib/call.ts'

export const ownDevicesQuery = queryOptions({
  queryKey: ['own-devices'],
  queryFn: ({ signal }) => call(listOwnDevices, { signal }),
})
