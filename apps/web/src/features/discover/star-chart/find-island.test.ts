import { expect, test } from 'vitest'
import { islandAhead, nearestIsland } from './find-island.ts'

/** 0 in the centre, 1 to the right, 2 farther right and slightly up, 3 below, 4 far to the left. */
const positions = Float32Array.from([0, 0, 50, 5, 90, -10, 10, 60, -300, 0])
const right = { x: 1, y: 0 } as const
const left = { x: -1, y: 0 } as const
const down = { x: 0, y: 1 } as const
const up = { x: 0, y: -1 } as const

test('the nearest island within the maximum distance is found', () => {
  expect(nearestIsland(positions, 48, 0, 20)).toBe(1)
  expect(nearestIsland(positions, 48, 40, 20)).toBeUndefined()
  expect(nearestIsland(new Float32Array(0), 0, 0, Infinity)).toBeUndefined()
})

test('an arrow key leads to a near island straight ahead', () => {
  expect(islandAhead(positions, 0, 0, right)).toBe(1)
  expect(islandAhead(positions, 50, 5, right)).toBe(2)
  expect(islandAhead(positions, 0, 0, down)).toBe(3)
  expect(islandAhead(positions, 0, 0, left)).toBe(4)
})

test('an arrow key leads nowhere if no other island is ahead', () => {
  expect(islandAhead(positions, 0, 0, up)).toBeUndefined()
  expect(islandAhead(positions, -300, 0, left)).toBeUndefined()
})
