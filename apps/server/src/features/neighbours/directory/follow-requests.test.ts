import { expect, test } from 'vitest'
import { movableClock } from '../../../test/movable-clock.ts'
import { followRequests } from './follow-requests.ts'
import { testRequests } from './testing/test-follower.ts'

const address = 'https://sky.example'

function setUp() {
  const clock = movableClock()
  const read = followRequests({ address, clock: clock.now })
  return { clock, read, ...testRequests(address, clock) }
}

test('[F5] a request says who follows, by a key that is proven', () => {
  const { read, authorization, signer } = setUp()
  const follower = { address: 'https://follower.example', key: signer.key }
  expect(read(authorization())).toEqual(follower)
  expect(read(authorization())).toEqual(follower)
})

test('[F5] S73 a request is refused unless it is signed, for this address, in time, and the first', () => {
  const { clock, read, authorization } = setUp()
  const [head = '', signature = ''] = authorization().split('.')
  const nowMs = clock.now()
  const nonce = 'only-once-and-no-more'
  read(authorization({}, { nonce }))
  const bad = [
    undefined,
    '',
    'Bearer x',
    `${head}.${signature.slice(1)}`,
    `${head}.${'a'.repeat(86)}`,
    authorization({}, { to: 'https://other.example' }),
    authorization({}, { key: 'A'.repeat(43) }),
    authorization({}, { nonce }),
    authorization({ at: nowMs - 300_001 }),
    authorization({ at: nowMs + 300_001 }),
    authorization({ kind: 'alive' }),
    authorization({ from: address }),
    authorization({ from: `${address}/path` }),
  ]
  for (const header of bad) {
    expect(() => read(header)).toThrow(expect.objectContaining({ code: 'invalid_follower' }))
  }
  read(authorization({ at: nowMs - 300_000 }))
  read(authorization({ at: nowMs + 300_000 }))
})
