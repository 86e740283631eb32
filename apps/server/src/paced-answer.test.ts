import { expect, test } from 'vitest'
import { PacedAnswer } from './paced-answer.ts'

test('S47 a dropped answer is never given again, and making a new one is paced', async () => {
  let nowMs = 0
  let made = 0
  const rests: number[] = []
  const kept = new PacedAnswer({
    make: async () => {
      nowMs += 5
      made += 1
      return made
    },
    isCurrent: () => false,
    clock: () => nowMs,
    rest: async (ms) => {
      rests.push(ms)
      nowMs += ms
    },
  })
  expect(await kept.get()).toBe(1)
  expect(await kept.get()).toBe(1)
  kept.forget()
  expect(await Promise.all([kept.get(), kept.get()])).toEqual([2, 2])
  expect(rests).toEqual([45])
  nowMs += 1000
  kept.forget()
  expect(await kept.get()).toBe(3)
  expect(rests).toEqual([45])
})
