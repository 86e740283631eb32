import { getPublicDevice } from '@astropelago/contract/devices'
import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '../../../lib/api-error.ts'
import { call } from '../../../lib/call.ts'

/** A card reopened within this time sends no request. */
const freshMs = 60_000

/** Details of a node that the list leaves out: since when it has its status, and its owner. */
export function nodeDetailsQuery(id: string) {
  return queryOptions({
    queryKey: ['node-details', id],
    // Not aborted when the card closes, so that the next card can use the answer.
    queryFn: () => call(getPublicDevice, { params: { id } }),
    staleTime: freshMs,
  })
}

/** Whether the device is no longer public, because it was deleted or made private. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'not_found'
}
