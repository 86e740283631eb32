import { type DeviceKind, listAllDevices } from '@astropelago/contract/operator'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { operatorKey } from '../operator-query.ts'

const pageLength = '50'

/** Devices of all users, page by page. The last pages stay while others load. */
export function useDevices(search: string, only: DeviceKind | undefined) {
  return useInfiniteQuery({
    queryKey: [operatorKey, 'devices', search, only],
    queryFn: ({ pageParam, signal }) =>
      call(listAllDevices, {
        query: {
          limit: pageLength,
          ...(search !== '' && { search }),
          ...(only !== undefined && { only }),
          ...(pageParam !== '' && { after: pageParam }),
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ devices, hasMore }) => (hasMore ? devices.at(-1)?.id : undefined),
    placeholderData: keepPreviousData,
  })
}
