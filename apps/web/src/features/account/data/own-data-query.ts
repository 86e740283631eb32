import { getOwnData } from '@astropelago/contract/own-data'
import type { AnswerBody } from '@astropelago/contract/route'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

export type OwnData = AnswerBody<typeof getOwnData>

export const ownDataQuery = queryOptions({
  queryKey: ['own-data'],
  queryFn: ({ signal }) => call(getOwnData, { signal }),
})
