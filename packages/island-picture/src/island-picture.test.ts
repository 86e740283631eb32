import { expect, test } from 'vitest'
import { drawIsland, pictureHeight, pictureWidth } from './island-picture.ts'
import { seedOf } from './seeded-random.ts'

const kinds = ['social', 'media', 'lab'] as const
const seeds = Array.from({ length: 300 }, (_, index) => seedOf(`island-${index}`))
const pictures = seeds.flatMap((seed) => kinds.map((kind) => drawIsland(seed, kind)))

test('an island looks the same whenever it is drawn, and each looks different', () => {
  const seed = seedOf('harbour-tales')
  expect(drawIsland(seed, 'social')).toEqual(drawIsland(seed, 'social'))
  expect(new Set(pictures.map((shapes) => JSON.stringify(shapes))).size).toBe(pictures.length)
})

test('its kind shows in what stands on it, and its rock stays', () => {
  const [social, media] = [drawIsland(7, 'social'), drawIsland(7, 'media')]
  expect(social[0]).toEqual(media[0])
  expect(social).not.toEqual(media)
})

function isOutside([, x, y]: readonly string[]): boolean {
  return Number(x) < 0 || Number(x) > pictureWidth || Number(y) < 0 || Number(y) > pictureHeight
}

test('nothing of it is outside of the picture', () => {
  const text = pictures
    .flat()
    .map(({ d }) => d)
    .join('')
  const points = Array.from(text.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g))
  expect(points.length).toBeGreaterThan(10_000)
  expect(points.filter(isOutside)).toEqual([])
})

test.each([0, 2 ** 32 - 1])('every path by %i is of plain numbers and colours', (seed) => {
  for (const { d, fill = '#000000', stroke = '#000000' } of drawIsland(seed, 'lab')) {
    expect(d).toMatch(/^[MLhz\d. -]+$/)
    expect(fill).toMatch(/^#[0-9a-f]{6}$/)
    expect(stroke).toMatch(/^#[0-9a-f]{6}$/)
  }
})

test('a page of them is light', () => {
  const most = Math.max(...pictures.map((shapes) => shapes.length))
  expect(most).toBeLessThan(180)
})
