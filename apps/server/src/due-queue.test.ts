import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DueQueue } from './due-queue.ts'

test('keys come in the order of their latest times, each once, however often they are set', () => {
  const step = fc.record({ key: fc.nat(9), atMs: fc.nat(20), isDeleted: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), fc.nat(20), (steps, untilMs) => {
      const queue = new DueQueue()
      const model = new Map<number, number>()
      for (const { key, atMs, isDeleted } of steps) {
        if (isDeleted && atMs < 5) {
          queue.delete(key)
          model.delete(key)
        } else {
          queue.set(key, atMs)
          model.set(key, atMs)
        }
      }
      expect(new Set(queue.keys())).toEqual(new Set(model.keys()))
      const taken: (readonly [key: number, atMs: number | undefined])[] = []
      for (let key = queue.take(untilMs); key !== undefined; key = queue.take(untilMs)) {
        taken.push([key, model.get(key)])
      }
      const times = taken.map(([, atMs]) => atMs ?? -1)
      expect(times).toEqual(times.toSorted((a, b) => a - b))
      const due = [...model].filter(([, atMs]) => atMs <= untilMs)
      expect(new Map(taken)).toEqual(new Map(due))
      expect(taken).toHaveLength(due.length)
    }),
  )
})
