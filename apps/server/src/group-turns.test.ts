import { setImmediate as endOfTurn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { grouped } from './group-turns.ts'

const light = { weigh: () => 1, maxWeight: 1000 }

/** A run whose groups the test lets finish one by one. */
function heldRun() {
  const groups: { items: readonly number[]; finish: () => void; fail: (error: Error) => void }[] =
    []
  const run = vi.fn<(items: readonly number[]) => Promise<readonly string[]>>((items) => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>()
    const finish = () => resolve(items.map((item) => `done ${item}`))
    groups.push({ items, finish, fail: reject })
    return promise
  })
  return { run, groups }
}

test('items of one turn share a group, and items that arrive while it runs share the next, in order', async () => {
  const { run, groups } = heldRun()
  const call = grouped(run, light)
  const first = [call(1), call(2)]
  await endOfTurn()
  const answers = [...first, call(3), call(4)]
  await endOfTurn()
  expect(groups.map(({ items }) => items)).toEqual([[1, 2]])
  groups[0]?.finish()
  expect(await Promise.all(first)).toEqual(['done 1', 'done 2'])
  await endOfTurn()
  expect(groups.map(({ items }) => items)).toEqual([
    [1, 2],
    [3, 4],
  ])
  groups[1]?.finish()
  expect(await Promise.all(answers)).toEqual(['done 1', 'done 2', 'done 3', 'done 4'])
})

test('a group that fails fails for all of its items, and the next one runs', async () => {
  const { run, groups } = heldRun()
  const call = grouped(run, light)
  const failing = [call(1), call(2)]
  await endOfTurn()
  const next = call(3)
  groups[0]?.fail(new Error('the disk is full'))
  for (const each of failing) await expect(each).rejects.toThrow('the disk is full')
  await endOfTurn()
  groups[1]?.finish()
  expect(await next).toBe('done 3')
})

test('past the weight that may wait, an item is refused; alone it is accepted, however heavy', async () => {
  const { run, groups } = heldRun()
  const call = grouped(run, { weigh: (item: number) => item, maxWeight: 10 })
  const heavy = call(99)
  await expect(call(1)).rejects.toMatchObject({ code: 'overloaded', retryAfterS: 1 })
  await endOfTurn()
  const taken = [call(8), call(2)]
  await expect(call(1)).rejects.toMatchObject({ code: 'overloaded', retryAfterS: 1 })
  groups[0]?.finish()
  expect(await heavy).toBe('done 99')
  await endOfTurn()
  groups[1]?.finish()
  expect(await Promise.all(taken)).toHaveLength(2)
})
