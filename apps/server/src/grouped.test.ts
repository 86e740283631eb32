import { expect, test, vi } from 'vitest'
import { grouped } from './grouped.ts'

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

test('what arrives while a group runs shares the next one, in the order of arrival', async () => {
  const { run, groups } = heldRun()
  const call = grouped(run, light)
  const answers = [call(1), call(2), call(3)]
  expect(groups.map(({ items }) => items)).toEqual([[1]])
  groups[0]?.finish()
  expect(await answers[0]).toBe('done 1')
  expect(groups.map(({ items }) => items)).toEqual([[1], [2, 3]])
  groups[1]?.finish()
  expect(await Promise.all(answers)).toEqual(['done 1', 'done 2', 'done 3'])
})

test('a group that fails fails for all of its items, and the next one runs', async () => {
  const { run, groups } = heldRun()
  const call = grouped(run, light)
  const [failing, next] = [call(1), call(2)]
  groups[0]?.fail(new Error('the disk is full'))
  await expect(failing).rejects.toThrow('the disk is full')
  groups[1]?.finish()
  expect(await next).toBe('done 2')
})

test('past the weight that may wait, an item is refused; alone it is taken, however heavy', async () => {
  const { run, groups } = heldRun()
  const call = grouped(run, { weigh: (item: number) => item, maxWeight: 10 })
  const taken = [call(99), call(8), call(2)]
  await expect(call(1)).rejects.toMatchObject({ code: 'overloaded', retryAfterS: 1 })
  groups[0]?.finish()
  await taken[0]
  groups[1]?.finish()
  expect(await Promise.all(taken)).toHaveLength(3)
})
