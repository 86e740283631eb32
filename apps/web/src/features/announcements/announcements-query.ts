import { listAnnouncements } from '@astropelago/contract/announcements'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

/** A page that is opened again within a minute sends no request. */
const announcementsQuery = queryOptions({
  queryKey: ['announcements'],
  queryFn: ({ signal }) => call(listAnnouncements, { signal }),
  staleTime: 60_000,
})

export function useAnnouncements() {
  return useQuery(announcementsQuery)
}
