import { expect, onTestFinished, test } from 'vitest'
import { hashToken } from '../../../secret-token.ts'
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

test('S63 an answer of one visitor makes nobody else’s grant be read anew', async () => {
  const read: string[] = []
  const users = [7, 8].map((userKey) => ({ userKey, token: `cookie ${userKey}` }))
  const grants = createGrants({
    store: {
      findGrant: async (hash) => {
        const user = users.find(({ token }) => Buffer.compare(hashToken(token), hash) === 0)
        read.push(user?.token ?? '')
        const none = { hostName: null, sessionHash: new Uint8Array(32), visitorId: null }
        return { islandKey: 1, userKey: user?.userKey ?? 0, ...none }
      },
    },
    clock: movableClock().now,
    findSessionHolder: async () => ({ shownName: 'Ada', ...account }),
    readRights: async () => () => ({ mayEnter: true, entersPaused: false }),
  })
  const findAll = async () => {
    for (const { token } of users) await grants.find(token)
  }
  await findAll()
  grants.forget(1, 7)
  await findAll()
  expect(read).toEqual(['cookie 7', 'cookie 8', 'cookie 7'])
  grants.forget(1)
  await findAll()
  expect(read.slice(3)).toEqual(['cookie 7', 'cookie 8'])
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
