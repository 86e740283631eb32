import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Box, boxesOverlap, firstFree } from './boxes.ts'

const box = (leftPx: number, topPx: number): Box => ({ leftPx, topPx, widthPx: 50, heightPx: 10 })

test.each([
  [49, 9, true],
  [-49, -9, true],
  [50, 0, false],
  [-50, 0, false],
  [0, 10, false],
  [0, -10, false],
])('a box of 50 by 10 and one that lies %i to the right and %i below: %s', (right, below, isSo) => {
  expect(boxesOverlap(box(0, 0), box(right, below))).toBe(isSo)
})

function isWithin({ leftPx, topPx, widthPx, heightPx }: Box, xPx: number, yPx: number): boolean {
  return xPx > leftPx && xPx < leftPx + widthPx && yPx > topPx && yPx < topPx + heightPx
}

test('two boxes overlap where a point lies within both', () => {
  const side = fc.integer({ min: 1, max: 6 })
  const corner = fc.integer({ min: 0, max: 8 })
  const anyBox = fc.record({ leftPx: corner, topPx: corner, widthPx: side, heightPx: side })
  // With whole pixels, two boxes overlap exactly if they share the middle of a pixel.
  const middles = Array.from({ length: 15 }, (_, pixel) => pixel + 0.5)
  fc.assert(
    fc.property(anyBox, anyBox, (one, other) => {
      const isShared = middles.some((x) =>
        middles.some((y) => isWithin(one, x, y) && isWithin(other, x, y)),
      )
      expect(boxesOverlap(one, other)).toBe(isShared)
    }),
  )
})

test('the first wish that overlaps nothing is chosen', () => {
  const taken = [box(0, 0), box(100, 0)]
  expect(firstFree([box(20, 5), box(120, 5), box(0, 20), box(0, 40)], taken)).toEqual(box(0, 20))
  expect(firstFree([box(20, 5)], taken)).toBeUndefined()
  expect(firstFree([], [])).toBeUndefined()
})
