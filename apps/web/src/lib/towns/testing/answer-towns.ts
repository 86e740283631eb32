import townsUrl from 'virtual:towns-url'
import { respondTo } from '../../../test/answer-api.ts'
import { sampleTowns } from './sample-towns.ts'

/** Answers requests for the list of towns with a few towns, or with an error status. */
export function answerTowns(status = 200): void {
  const { pathname } = new URL(townsUrl, window.location.href)
  respondTo('GET', pathname, async () =>
    status === 200 ? Response.json(sampleTowns) : new Response(null, { status }),
  )
}
