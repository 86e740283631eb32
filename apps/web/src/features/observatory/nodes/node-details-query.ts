import { getPublicDevice } from '@astropelago/contract/devices'
import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '../../../lib/api-error.ts'
import { call } from '../../../lib/call.ts'

/** A card that is opened again within this time asks nothing. */
const freshMs = 60_000

/** What the list leaves out of a node: since when it has its status, and whose it is. */
export function nodeDetailsQuery(id: string) {
  return queryOptions({
    queryKey: ['node-details', id],
    // Goes on where the card closes meanwhile: the next one has the answer.
    queryFn: () => call(getPublicDevice, { params: { id } }),
    staleTime: freshMs,
  })
}

/** Whether there is no such public device any more, be it deleted or private now. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'not_found'
}
