import fc from 'fast-check'
import { expect, test } from 'vitest'
import { OnlineQueue } from './online-queue.ts'

test('devices are yielded longest silent first, whatever happened before', () => {
  const step = fc.record({
    key: fc.oneof(fc.nat(8), fc.nat(5000)),
    atMs: fc.nat(50),
    action: fc.oneof(
      { weight: 3, arbitrary: fc.constant('touch') },
      fc.constantFrom('touchUnrecorded', 'setOffline', 'forget', 'putBack'),
      { weight: 2, arbitrary: fc.constant('setApart') },
    ),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const queue = new OnlineQueue()
      const model = new Map<number, { atMs: number; order: number; action: string }>()
      const apart = new Set<number>()
      for (const [order, { key, atMs, action }] of steps.entries()) {
        if (action === 'setApart' || action === 'putBack') {
          queue.setApart(key, action === 'setApart')
          const known = model.get(key)
          const isMoved = action === 'setApart' ? apart.add(key) : apart.delete(key)
          // It lines up behind those that reported at the same time.
          if (known !== undefined && isMoved) model.set(key, { ...known, order })
          continue
        }
        if (action === 'touch') queue.touch(key, atMs)
        if (action === 'touchUnrecorded') queue.touchUnrecorded(key, atMs)
        if (action === 'setOffline') queue.setOffline(key, atMs)
        if (action === 'forget') queue.forget(key)
        if (action === 'forget') {
          model.delete(key)
          apart.delete(key)
        } else model.set(key, { atMs, order, action })
      }
      const online = [...model].filter(([, { action }]) => action !== 'setOffline')
      const expected = online
        .filter(([key]) => !apart.has(key))
        .toSorted(([, a], [, b]) => a.atMs - b.atMs || a.order - b.order)
        .map(([key]) => key)
      expect([...queue.longestSilentFirst()]).toEqual(expected)
      expect([queue.knownCount, queue.onlineCount]).toEqual([model.size, online.length])
      for (const { key } of steps) {
        expect(queue.lastSeenMs(key)).toBe(model.get(key)?.atMs ?? null)
        expect(queue.isOnline(key)).toBe(online.some(([known]) => known === key))
        expect(queue.isOnRecord(key)).toBe(model.get(key)?.action === 'touch')
      }
      const seenApart = online.filter(([key]) => apart.has(key))
      expect(queue.oldestApartMs()).toBe(Math.min(...seenApart.map(([, { atMs }]) => atMs)))
      const looked = new Set<number>()
      for (let key = queue.takeApart(50); key !== undefined; key = queue.takeApart(50)) {
        looked.add(key)
      }
      expect(looked).toEqual(new Set(seenApart.map(([key]) => key)))
    }),
  )
})

test('a device may be removed while the queue is iterated', () => {
  const queue = new OnlineQueue()
  for (const key of [3, 1, 2]) queue.touch(key, 10)
  const walked: number[] = []
  for (const key of queue.longestSilentFirst()) {
    walked.push(key)
    queue.setOffline(key, 10)
  }
  expect(walked).toEqual([3, 1, 2])
  expect([...queue.longestSilentFirst()]).toEqual([])
})
