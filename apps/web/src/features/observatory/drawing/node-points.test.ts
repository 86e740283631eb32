import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDrawOrder } from './node-points.ts'

const anyStatus = fc.integer({ min: 0, max: 2 })

test('every node is drawn once, in the order of its status, after any changes', () => {
  const anyChange = fc.tuple(fc.nat(), anyStatus)
  fc.assert(
    fc.property(
      fc.array(anyStatus, { minLength: 1, maxLength: 50 }),
      fc.array(anyChange, { maxLength: 100 }),
      (first, changes) => {
        const statuses = Uint8Array.from(first)
        const order = createDrawOrder(statuses)
        for (const [chosen, status] of changes) {
          const index = chosen % statuses.length
          statuses[index] = status
          order.follow(Uint32Array.of(index), statuses)
        }
        const drawn = [...order.indexes]
        expect(drawn.toSorted((a, b) => a - b)).toEqual([...statuses.keys()])
        const drawnStatuses = drawn.map((index) => statuses[index] ?? -1)
        expect(drawnStatuses).toEqual(drawnStatuses.toSorted((a, b) => a - b))
      },
    ),
  )
})

test('an unknown node moves nothing', () => {
  const order = createDrawOrder(Uint8Array.of(2, 0))
  order.follow(Uint32Array.of(7), Uint8Array.of(1, 1))
  expect([...order.indexes]).toEqual([1, 0])
})
