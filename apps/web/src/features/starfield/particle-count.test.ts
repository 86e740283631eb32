import { expect, test } from 'vitest'
import { particleCount } from './starfield-engine.ts'

test.each([
  [360, 640, 90],
  [0, 0, 90],
  [1024, 1024, 105],
  [1440, 900, 130],
  [1920, 1080, 207],
  [3840, 2160, 220],
  [7680, 4320, 220],
])('a screen of %d x %d gets %d particles', (widthPx, heightPx, particles) => {
  expect(particleCount(widthPx, heightPx)).toBe(particles)
})
