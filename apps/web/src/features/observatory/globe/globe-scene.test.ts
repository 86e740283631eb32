import { expect, test } from 'vitest'
import { canvasPixelRatio } from './globe-scene.ts'

test.each([
  [920, 460, 1, 1],
  [920, 460, 2, 2],
  [360, 460, 3, 2],
])('a canvas of %d x %d on a screen of ratio %d is drawn at %d', (width, height, device, ratio) => {
  expect(canvasPixelRatio(width, height, device)).toBe(ratio)
})

test('a very large canvas never has more than two and a half million pixels', () => {
  const ratio = canvasPixelRatio(3840, 2000, 2)
  expect(3840 * 2000 * ratio ** 2).toBeLessThanOrEqual(2_500_001)
  expect(canvasPixelRatio(0, 0, 1)).toBe(1)
})
