import type { IslandCard } from '@astropelago/contract/islands'
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import type { FeedReader } from '../lib/live-feed/live-feed.ts'
import { queryKeys } from '../lib/query-keys.ts'
import { sampleIsland } from '../test/sample-island.ts'
import { followListedIslands } from './follow-listed-islands.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

const open = sampleIsland({ id: 'a' })
const other = sampleIsland({ id: 'b' })
const closed = { ...open, isOpen: false }

const keys = {
  list: [...queryKeys.listedIslands, 'open-now'],
  pages: [...queryKeys.listedIslands, 'directory'],
  signals: [...queryKeys.listedIslands, 'signals'],
}

async function setUp() {
  const client = new QueryClient()
  const signals = { pages: [{ signals: [{ island: open }] }], pageParams: [''] }
  client.setQueryData(keys.list, { islands: [open, other], total: 2 })
  client.setQueryData(keys.pages, {
    pages: [{ islands: [other] }, { islands: [open] }],
    pageParams: [],
  })
  client.setQueryData(keys.signals, signals)
  const invalidate = vi.spyOn(client, 'invalidateQueries')
  let reader: FeedReader | undefined
  const join = (joined: FeedReader) => {
    reader = joined
    return { startAt: () => {}, forget: () => {}, leave: () => {} }
  }
  const stop = followListedIslands(client, { join }, async () => ({ epoch: 'e', number: 3 }))
  await vi.advanceTimersByTimeAsync(0)
  invalidate.mockClear()
  const tell = (changedIslands: readonly IslandCard[], removedIslandIds: readonly string[] = []) =>
    reader?.onChanges({
      changed: [],
      removedIds: [],
      changedIslands,
      removedIslandIds,
      position: { epoch: 'e', number: 4 },
    })
  return { client, invalidate, tell, stop, signals }
}

test('a closed island shows at once in every list', async () => {
  const { client, tell, signals } = await setUp()
  tell([closed])
  expect(client.getQueryData(keys.list)).toEqual({ islands: [closed, other], total: 2 })
  expect(client.getQueryData(keys.pages)).toMatchObject({
    pages: [{ islands: [other] }, { islands: [closed] }],
  })
  expect(client.getQueryData(keys.signals)).toEqual(signals)
})

test('any number of changes causes one request in 5 s, and none after the page is left', async () => {
  const { invalidate, tell, stop } = await setUp()
  tell([], ['c'])
  tell([sampleIsland()])
  await vi.advanceTimersByTimeAsync(5000)
  expect(invalidate).toHaveBeenCalledTimes(1)
  tell([closed])
  stop()
  await vi.advanceTimersByTimeAsync(5000)
  expect(invalidate).toHaveBeenCalledTimes(1)
})

test('changes of devices affect no island', async () => {
  const { invalidate, tell } = await setUp()
  tell([])
  await vi.advanceTimersByTimeAsync(5000)
  expect(invalidate).not.toHaveBeenCalled()
})
