import { listAnnouncements } from '@astropelago/contract/announcements'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

/** What the operator tells everybody. A page that is left and opened again within a minute asks nothing. */
const announcementsQuery = queryOptions({
  queryKey: ['announcements'],
  queryFn: ({ signal }) => call(listAnnouncements, { signal }),
  staleTime: 60_000,
})

export function useAnnouncements() {
  return useQuery(announcementsQuery)
}
