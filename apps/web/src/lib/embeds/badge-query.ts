import { keepPreviousData, queryOptions } from '@tanstack/react-query'

/** Uptimes are others as time goes by. */
const freshMs = 60_000

/**
 * A badge as everybody sees it, as an address of its own: an image that a page has drawn once is not asked
 * for again, whatever happens.
 * @param state another one whenever the badge may be another
 */
export function badgeQuery(path: string, state: string) {
  return queryOptions({
    queryKey: ['badge', path, state],
    queryFn: async ({ signal }) => {
      const answer = await fetch(path, { signal, cache: 'no-cache', credentials: 'omit' })
      if (!answer.ok) throw new Error(`The badge was refused with ${answer.status}`)
      return `data:image/svg+xml,${encodeURIComponent(await answer.text())}`
    },
    refetchInterval: freshMs,
    placeholderData: keepPreviousData,
  })
}
