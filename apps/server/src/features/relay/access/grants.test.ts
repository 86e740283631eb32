import { expect, test } from 'vitest'
import { movableClock } from '../../../test/movable-clock.ts'
import { Grants } from './grants.ts'

test('R22 a right that is taken away while a visit is looked up lets nobody in', async () => {
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let mayEnter = true
  const grants = new Grants({
    store: {
      findGrant: async () => ({
        islandKey: 1,
        userKey: 7,
        sessionHash: new Uint8Array(32),
        visitorId: null,
      }),
    },
    clock: movableClock().now,
    findSessionHolder: async () => ({ shownName: 'Ada' }),
    rightsOn: async () => {
      const rights = { mayEnter, entersPaused: false }
      begun.resolve()
      await held.promise
      return rights
    },
  })
  const found = grants.find('cookie')
  await begun.promise
  mayEnter = false
  grants.forget(1)
  held.resolve()
  expect(await found).toMatchObject({ mayEnter: false })
})
