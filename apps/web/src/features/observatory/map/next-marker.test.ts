import { expect, test } from 'vitest'
import { nextMarker } from './next-marker.ts'

const places = [
  { xPx: 100, yPx: 100 },
  { xPx: 200, yPx: 110 },
  { xPx: 150, yPx: 180 },
  { xPx: 400, yPx: 100 },
]
const from = { xPx: 100, yPx: 100 }

test('it is the nearest one ahead, not one to the side', () => {
  expect(nextMarker(places, from, 'right')).toBe(1)
  expect(nextMarker(places, from, 'down')).toBe(2)
  expect(nextMarker(places, { xPx: 200, yPx: 110 }, 'right')).toBe(3)
})

test('there is none where nothing lies ahead', () => {
  expect(nextMarker(places, from, 'left')).toBeUndefined()
  expect(nextMarker(places, from, 'up')).toBeUndefined()
  expect(nextMarker([], from, 'right')).toBeUndefined()
})
