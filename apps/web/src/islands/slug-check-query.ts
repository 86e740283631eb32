import { checkSlug } from '@astropelago/contract/islands'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../lib/call.ts'

/** Somebody else may take the slug meanwhile, so typing it again checks it again. */
const freshMs = 10_000

/** Whether an island of the user can have a slug. The slug has to be well-formed. */
export function slugCheckQuery(slug: string) {
  return queryOptions({
    queryKey: ['slug-check', slug],
    queryFn: ({ signal }) => call(checkSlug, { params: { slug }, signal }),
    staleTime: freshMs,
    gcTime: freshMs,
    retry: false,
  })
}
