import { expect, test } from 'vitest'
import { latticeDeg } from './land.ts'
import { dotLattice } from './draw-flat-planet.ts'

test('dots are about as dense at the poles as at the equator, on the unit sphere', () => {
  const dots = dotLattice(() => true)
  let polar = 0
  for (let i = 0; i < dots.length; i += 3) {
    const [x = 0, y = 0, z = 0] = dots.subarray(i, i + 3)
    expect(Math.hypot(x, y, z)).toBeCloseTo(1, 5)
    if (y > 0.9) polar += 1
  }
  // A twentieth of a sphere's surface is above y = 0.9.
  expect(polar / (dots.length / 3)).toBeCloseTo(0.05, 2)
  const stepRad = (latticeDeg * Math.PI) / 180
  expect(dots.length / 3).toBeCloseTo((4 * Math.PI) / stepRad ** 2, -3)
})

test('only dots that lie on land are kept', () => {
  const north = dotLattice((latRad) => latRad > 0)
  for (let i = 1; i < north.length; i += 3) expect(north[i]).toBeGreaterThan(0)
  expect(north.length * 2).toBe(dotLattice(() => true).length)
})
