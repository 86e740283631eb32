import type { RuntimeAnswer } from '@astropelago/contract/island-runtime'
import { expect, test, vi } from 'vitest'
import { alone } from '../../cluster/cluster.ts'
import { InstanceNotices } from '../../cluster/instance-notices.ts'
import { insertIsland, insertUser } from '../../test/factories.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import { createLiveValues } from './live-values.ts'
import { sqlIslandValuesStore } from './sql-island-values-store.ts'

test('S69 whoever watches ends with the last value, whichever reading is the quickest', async () => {
  const storage = await openTestStorage()
  const { key: islandKey } = await insertIsland(storage.db)
  const userKey = await insertUser(storage.db)
  const stored = sqlIslandValuesStore(storage)
  const notices = new InstanceNotices()
  const slow = Promise.withResolvers<void>()
  let readings = 0
  const values = createLiveValues({
    cluster: { ...alone, size: () => 2 },
    schedule: { every: () => undefined },
    changes: { subscribe: () => undefined },
    log: { warn: () => undefined },
    notices,
    store: {
      ...stored,
      read: async (ids) => {
        const entries = await stored.read(ids)
        readings += 1
        if (readings === 1) await slow.promise
        return entries
      },
    },
  })
  const pushes: RuntimeAnswer[] = []
  const id = { islandKey, store: 'shared', ownerKey: 0 } as const
  const push = (one: RuntimeAnswer) => void pushes.push(one)
  await values.watch({ ...id, prefix: '', push }, () => undefined).ready
  const source = notices.receive(2)
  pushes.length = 0
  for (const value of ['1', '2']) {
    const writer = { userKey, id: 'v', name: 'Ada' }
    const by = { writer, isHost: false, rule: 'own', atMs: 0 } as const
    await stored.write([{ ...id, key: 'a', kind: 'set', value, ...by }])
    source.take(JSON.stringify({ kind: 'values', islandKey, names: [['shared', 0, 'a']] }))
    await vi.waitFor(() => expect(readings).toBeGreaterThan(0))
  }
  slow.resolve()
  const told = () =>
    pushes.flatMap((one) => ('push' in one && one.push === 'changed' ? one.entries : []))
  await vi.waitFor(() => expect(told()).toHaveLength(2))
  expect(told().map(({ value }) => value)).toEqual(['1', '2'])
})
