import { expect, test } from 'vitest'
import { createWheelSteps } from './pointers.ts'

const byPixel = (deltaY: number) => ({ deltaY, deltaMode: 0 })

test.each([
  [100, 0],
  [-120, 0],
  [3, 1],
  [-1, 2],
])('a notch of %d in mode %d is one step', (deltaY, deltaMode) => {
  expect(createWheelSteps()({ deltaY, deltaMode })).toBe(-Math.sign(deltaY))
})

test('small moves of a touchpad add up to steps without losses', () => {
  const steps = createWheelSteps()
  const taken = Array.from({ length: 16 }, () => steps(byPixel(-5)))
  expect(taken.reduce((sum, step) => sum + step, 0)).toBe(5)
  expect(Math.max(...taken)).toBe(1)
})

test('a change of direction on a touchpad starts again', () => {
  const steps = createWheelSteps()
  expect(steps(byPixel(15))).toBe(0)
  expect(steps(byPixel(-15))).toBe(0)
  expect(steps(byPixel(-1))).toBe(1)
})
