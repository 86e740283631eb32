import { expect, onTestFinished, test } from 'vitest'
import { StorageUnavailable } from '../../../storage/storage-error.ts'
import { movableClock } from '../../../test/movable-clock.ts'
import { Transfers } from '../visitors/transfers.ts'
import { createGrantConnections, createGrants, type Grant } from './grants.ts'

const account = { isDemo: false, isOperator: false, createdMs: 0 }

test('R22 a right that is taken away while a grant is read lets nobody in', async () => {
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let mayEnter = true
  const grants = createGrants({
    store: {
      findGrant: async () => ({
        islandKey: 1,
        hostName: null,
        userKey: 7,
        sessionHash: new Uint8Array(32),
        visitorId: null,
      }),
    },
    clock: movableClock().now,
    findSessionHolder: async () => ({ shownName: 'Ada', ...account }),
    readRights: async () => {
      const rights = { mayEnter, entersPaused: false }
      begun.resolve()
      await held.promise
      return () => rights
    },
  })
  const found = grants.find('cookie')
  await begun.promise
  mayEnter = false
  grants.forget(1)
  held.resolve()
  expect(await found).toMatchObject({ mayEnter: false })
})

const grant: Grant = {
  islandKey: 1,
  hostName: null,
  userKey: 7,
  sessionHash: new Uint8Array(32),
  identity: null,
  mayEnter: true,
  entersPaused: false,
  ...account,
}

test('R22 transfers of a grant are cut if storage can’t say who may still enter', async () => {
  const transfers = new Transfers()
  onTestFinished(() => transfers.stop())
  const connections = createGrantConnections({
    transfers,
    watchSessionOf: () => ({ signal: new AbortController().signal, stop: () => undefined }),
    islands: {
      find: () => ({ isStopped: false, mayAnybodyEnter: true, pause: null, domain: null }),
    },
    readRights: () => Promise.reject(new StorageUnavailable('unavailable')),
  })
  const cut: string[] = []
  for (const [who, held] of [
    ['a member', grant],
    ['anybody', null],
  ] as const) {
    connections.of(held, { name: 'harbor.localhost', isOwnDomain: false })({
      islandKey: 1,
      progress: () => '',
      isWaiting: () => false,
      cut: (why) => cut.push(`${who} ${why}`),
    })
  }
  await connections.check(1)
  expect(cut).toEqual(['a member shut'])
})
