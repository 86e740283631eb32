import { expect, test } from 'vitest'
import { unrolledLine, unrolledRing, withinHalfTurn } from './longitudes.ts'

test.each([
  [0, 0],
  [170, 170],
  [190, -170],
  [-190, 170],
  [730, 10],
])('%i degrees are the same as %i', (deg, sameDeg) => {
  expect(withinHalfTurn(deg)).toBe(sameDeg)
})

test('a line across the antimeridian continues beyond 180', () => {
  expect(
    unrolledLine([
      [170, 10],
      [-175, 11],
      [-170, 12],
      [175, 13],
    ]),
  ).toEqual([
    [170, 10],
    [185, 11],
    [190, 12],
    [175, 13],
  ])
})

test('an edge around a pole is closed along the pole', () => {
  const ring = [0, 90, 180, -90, 0].map((lonDeg) => [lonDeg, -70])
  expect(unrolledRing(ring)).toEqual([
    [0, -70],
    [90, -70],
    [180, -70],
    [270, -70],
    [360, -70],
    [360, -90],
    [0, -90],
    [0, -70],
  ])
})

test('any other edge stays as it is', () => {
  const ring = [
    [10, 10],
    [20, 10],
    [20, 20],
    [10, 10],
  ]
  expect(unrolledRing(ring)).toEqual(ring)
})
