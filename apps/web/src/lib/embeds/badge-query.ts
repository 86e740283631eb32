import { keepPreviousData, queryOptions } from '@tanstack/react-query'

/** Uptimes change as time passes. */
const freshMs = 60_000

/**
 * A public badge as a data: URL. A page loads each image address only once, so the original address would
 * never show a change.
 * @param state differs whenever the badge may differ
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
