import { listGuides, readGuide } from '@astropelago/contract/guides'
import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'

/** A page that is opened again within this time sends no request. */
const freshMs = 60_000

/** The operator's guides, shown in addition to those of the build. */
export const operatorGuidesQuery = queryOptions({
  queryKey: ['operator-guides'],
  queryFn: ({ signal }) => call(listGuides, { signal }),
  staleTime: freshMs,
})

/** One of the operator's guides; null if it doesn't exist. */
export function operatorGuideQuery(name: string) {
  return queryOptions({
    queryKey: ['operator-guides', name],
    queryFn: async ({ signal }) => {
      try {
        return await call(readGuide, { params: { name }, signal })
      } catch (error) {
        if (error instanceof ApiError && error.code === 'not_found') return null
        throw error
      }
    },
    staleTime: freshMs,
  })
}
