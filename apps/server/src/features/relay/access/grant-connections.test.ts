import { expect, onTestFinished, test } from 'vitest'
import { StorageUnavailable } from '../../../storage/storage-error.ts'
import { Transfers } from '../visitors/transfers.ts'
import { GrantConnections } from './grant-connections.ts'
import type { Grant } from './grants.ts'

const grant: Grant = {
  islandKey: 1,
  userKey: 7,
  sessionHash: new Uint8Array(32),
  identity: null,
  mayEnter: true,
  entersPaused: false,
}

test('R22 what goes on by a visit is cut where storage can’t say who may still enter', async () => {
  const transfers = new Transfers()
  onTestFinished(() => transfers.stop())
  const connections = new GrantConnections({
    transfers,
    watchSession: () => ({ signal: new AbortController().signal, stop: () => undefined }),
    mayAnybodyEnter: () => true,
    whoMayEnter: () => Promise.reject(new StorageUnavailable('it is away')),
  })
  const cut: string[] = []
  for (const [who, held] of [
    ['a member', grant],
    ['anybody', null],
  ] as const) {
    connections.of(held)({
      islandKey: 1,
      progress: () => '',
      isWaiting: () => false,
      cut: (why) => cut.push(`${who} ${why}`),
    })
  }
  await connections.check(1)
  expect(cut).toEqual(['a member shut'])
})
