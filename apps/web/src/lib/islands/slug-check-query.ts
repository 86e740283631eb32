import { checkSlug } from '@astropelago/contract/islands'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../call.ts'

/** Somebody else may take it meanwhile; typed anew, it is asked for anew. */
const freshMs = 10_000

/** Whether an island of the user could have a slug, which has to be a well-formed one. */
export function slugCheckQuery(slug: string) {
  return queryOptions({
    queryKey: ['slug-check', slug],
    queryFn: ({ signal }) => call(checkSlug, { params: { slug }, signal }),
    staleTime: freshMs,
    gcTime: freshMs,
    retry: false,
  })
}
