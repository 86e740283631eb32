import { expect, test } from 'vitest'
import { moveCamera, particleCount } from './starfield-engine.ts'

const wanted = { scrollPx: 1000, pointerX: 1, pointerY: -1 }
const atRest = () => ({ scrollPx: 0, pointerX: 0, pointerY: 0 })

test('the camera reaches its target and never passes it', () => {
  const camera = atRest()
  let last = 0
  for (let frame = 0; frame < 300; frame += 1) {
    moveCamera(camera, wanted, 16)
    expect(camera.scrollPx).toBeGreaterThan(last)
    expect(camera.scrollPx).toBeLessThanOrEqual(wanted.scrollPx)
    last = camera.scrollPx
  }
  expect(camera.scrollPx).toBeCloseTo(1000, 0)
  expect(camera.pointerX).toBeCloseTo(1)
  expect(camera.pointerY).toBeCloseTo(-1)
})

test('the way covered depends on the time alone, not on the frames in it', () => {
  const slow = atRest()
  const fast = atRest()
  moveCamera(slow, wanted, 96)
  for (let frame = 0; frame < 12; frame += 1) moveCamera(fast, wanted, 8)
  expect(fast.scrollPx).toBeCloseTo(slow.scrollPx)
})

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
