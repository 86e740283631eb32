import townsUrl from 'virtual:towns-url'
import { respondTo } from '../../../test/answer-api.ts'
import { sampleTowns } from './sample-towns.ts'

/** A few towns where the list of towns is fetched, or a server that has none. */
export function answerTowns(status = 200): void {
  const { pathname } = new URL(townsUrl, window.location.href)
  respondTo('GET', pathname, async () =>
    status === 200 ? Response.json(sampleTowns) : new Response(null, { status }),
  )
}
