import { expect, test } from 'vitest'
import { MarkSprites } from './draw-chart.ts'

test('islands that look the same share one mark, to half a pixel of its size', () => {
  const sprites = new MarkSprites()
  const first = sprites.read('social', true, 6, 1)
  expect(sprites.read('social', true, 6.2, 1)).toBe(first)
  for (const other of [
    sprites.read('media', true, 6, 1),
    sprites.read('social', false, 6, 1),
    sprites.read('social', true, 6.5, 1),
  ]) {
    expect(other).not.toBe(first)
  }
})

test('another pixel ratio draws the marks again, with as many pixels', () => {
  const sprites = new MarkSprites()
  const coarse = sprites.read('lab', true, 8, 1)
  const fine = sprites.read('lab', true, 8, 2)
  expect(fine.sidePx).toBeCloseTo(coarse.sidePx, 0)
  expect(fine.image.width).toBe(fine.sidePx * 2)
  expect(fine.image.width).toBeGreaterThan(1.9 * coarse.image.width)
})
