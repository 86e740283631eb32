import {
  addressOfSlug,
  checkFromOutside,
  getRelay,
  getRelayedState,
  type OutsideResult,
  type RelayedState,
} from '@astropelago/contract/island-relay'
import { getIslandDomain } from '@astropelago/contract/island-domain'
import { getIslandPort } from '@astropelago/contract/relay-ports'
import { answerApi, isAnswered } from './answer-api.ts'

const addresses = 'https://{slug}.isles.example/'
const at = '2026-01-02T03:04:05.000Z'

/** The address where visitors enter an island through the relay. */
export const sampleRelayAddress = (slug: string) => addressOfSlug(addresses, slug)

/**
 * A server with a relay. All relayed islands are in the condition that the test sets, and have no ports and
 * domains unless the test adds them.
 */
export function answerRelay(condition: RelayedState['condition'] = { state: 'carried' }) {
  const server: { condition: RelayedState['condition']; result: OutsideResult } = {
    condition,
    result: 'opened',
  }
  let outside: RelayedState['outside'] = null
  answerApi(getRelay, { status: 200, body: { addresses } })
  if (!isAnswered(getIslandPort)) {
    answerApi(getIslandPort, { status: 200, body: { address: null, letIn: null, own: null } })
  }
  if (!isAnswered(getIslandDomain)) {
    answerApi(getIslandDomain, { status: 200, body: { domain: null } })
  }
  const asked = answerApi(getRelayedState, () => ({
    status: 200,
    body: { condition: server.condition, visits: { count: 1234, since: at }, outside },
  }))
  const checked = answerApi(checkFromOutside, () => {
    outside = { result: server.result, at }
    return { status: 200, body: outside }
  })
  return { server, asked, checked }
}
