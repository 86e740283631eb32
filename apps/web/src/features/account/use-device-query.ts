import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useQueryInAddress } from '../../lib/use-query-in-address.ts'
import { type DeviceQuery, readDeviceQuery, withDeviceQuery } from './device-query.ts'

/** The query for the user's devices, stored in the address. */
export function useDeviceQuery() {
  const [parameters] = useSearchParams()
  const [query, setQuery] = useState(() => readDeviceQuery(parameters))
  useQueryInAddress({
    query,
    write: withDeviceQuery,
    onAddress: (asked) => setQuery(readDeviceQuery(asked)),
  })
  const change = (changes: Partial<DeviceQuery>) => setQuery({ ...query, ...changes })
  return [query, change] as const
}
