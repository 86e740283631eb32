import { expect, test } from 'vitest'
import { makeStars, skyLayers, starTints } from './make-stars.ts'

test('the sky is the same each time', () => {
  expect(makeStars(120)).toEqual(makeStars(120))
})

test('every star lies in the sky and is never brighter than its layer', () => {
  const stars = makeStars(220)
  expect(stars).toHaveLength(220)
  for (const { x, y, layer, tint, brightness, twinkle } of stars) {
    for (const place of [x, y]) {
      expect(place).toBeGreaterThanOrEqual(0)
      expect(place).toBeLessThan(1)
    }
    expect(brightness).toBeLessThanOrEqual(skyLayers[layer]?.brightness ?? 0)
    expect(starTints[tint]).toBeDefined()
    expect(twinkle).toBeLessThan(1)
  }
})

test.each([90, 130, 220])('all of %d stars: each ninth of the sky has some', (count) => {
  const ninths = new Set(
    makeStars(count).map(({ x, y }) => Math.floor(x * 3) + 3 * Math.floor(y * 3)),
  )
  expect(ninths.size).toBe(9)
})

test('the smallest sky has all three depths, the farthest drawn first', () => {
  const layers = makeStars(90).map(({ layer }) => layer)
  expect(new Set(layers)).toEqual(new Set([0, 1, 2]))
  expect(layers).toEqual(layers.toSorted((one, other) => one - other))
})
