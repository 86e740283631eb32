import { expect, onTestFinished, test, vi } from 'vitest'
import { createLeadership } from './leadership.ts'

test('a server begins to lead once in each term, and leads no longer than its lease', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const cursors = new Map([[1, 5]])
  let held: { readonly term: number } | undefined
  const leadership = createLeadership({
    renew: async () => ({ isRegistered: true, lease: held && { ...held, cursors } }),
    resign: async () => undefined,
  })
  const begins = async () => (await leadership.renew()).begins
  expect([await begins(), leadership.term()]).toEqual([undefined, undefined])
  held = { term: 7 }
  expect([await begins(), leadership.term()]).toEqual([cursors, 7])
  expect([await begins(), leadership.term()]).toEqual([undefined, 7])
  held = { term: 8 }
  expect([await begins(), leadership.term()]).toEqual([cursors, 8])
  vi.advanceTimersByTime(2500)
  expect(leadership.term()).toBeUndefined()
  expect([await begins(), leadership.term()]).toEqual([cursors, 8])
  await leadership.resign()
  expect(leadership.term()).toBeUndefined()
})
