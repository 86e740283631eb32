import { expect, test } from 'vitest'
import { deleteInSteps, inSteps } from './steps.ts'

const rest = () => Promise.resolve()

test('steps go on, with rests between, until one reports that nothing is left', async () => {
  const left = [true, true, false]
  let rests = 0
  await inSteps(async () => left.shift() ?? true, { rest: async () => void (rests += 1) })
  expect({ left, rests }).toEqual({ left: [], rests: 2 })
})

test('aborted work ends after its step', async () => {
  const stopping = new AbortController()
  let steps = 0
  const step = async () => {
    steps += 1
    if (steps === 2) stopping.abort()
    return true
  }
  await inSteps(step, { signal: stopping.signal, rest })
  expect(steps).toBe(2)
})

test('rows are deleted until a step finds fewer than it may delete', async () => {
  const deleted = [2, 2, 1, 2]
  const limits: number[] = []
  const deleteRows = async (limit: number) => {
    limits.push(limit)
    return deleted.shift() ?? 0
  }
  expect(await deleteInSteps(deleteRows, { size: 2, rest })).toBe(5)
  expect({ limits, deleted }).toEqual({ limits: [2, 2, 2], deleted: [2] })
})
