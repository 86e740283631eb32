import { expect, test } from 'vitest'
import { cameraOnSight, maxZoom, minZoom, wholeWorld } from './map-camera.ts'
import { afterAction, keyAction } from './map-controls.tsx'

const size = { widthPx: 1044, heightPx: 520 }
const phone = { widthPx: 312, heightPx: 520 }

/** The longitude that the whole world is centred on, for nodes at these longitudes. */
const lonOf = (widthPx: number, ...lonDeg: number[]) =>
  wholeWorld({ widthPx, heightPx: 520 }, Float64Array.from(lonDeg)).lonDeg

test('zoom stays between 2 and the closest', () => {
  const world = wholeWorld(size)
  expect(afterAction('zoom-out', { ...world, zoom: 2.3 }, size).zoom).toBe(minZoom)
  expect(afterAction('zoom-in', { ...world, zoom: maxZoom }, size).zoom).toBe(maxZoom)
  expect(wholeWorld(phone).zoom).toBe(2)
  expect(cameraOnSight({ latDeg: 0, lonDeg: 0, spanDeg: 0.0001 }, size).zoom).toBe(maxZoom)
})

test('a map narrower than the world shows the most crowded part, around Greenwich if possible', () => {
  expect(wholeWorld(phone).lonDeg).toBe(0)
  expect(lonOf(312, 2, 13, 151)).toBe(0)
  // About 110 degrees are in view, and Sydney is well inside.
  expect(Math.abs(lonOf(312, 151, 150, 2) - 151)).toBeLessThan(50)
  expect(Math.abs(lonOf(312, 178, -178) % 180)).toBeGreaterThan(125)
  expect(lonOf(1044, 151, 150)).toBe(0)
})

test('moving continues around the world, and stops at its northern and southern edge', () => {
  const camera = { latDeg: 0, lonDeg: 175, zoom: 3 }
  expect(afterAction('east', camera, size).lonDeg).toBeLessThan(-150)
  expect(afterAction('west', camera, size).lonDeg).toBeLessThan(175)
  let north = camera
  for (let step = 0; step < 50; step++) north = afterAction('north', north, size)
  expect(north.latDeg).toBeGreaterThan(70)
  expect(north.latDeg).toBeLessThan(85)
})

test('keys that the map does not use belong to the browser', () => {
  expect(keyAction('ArrowLeft')).toBe('west')
  expect(keyAction('Tab')).toBeUndefined()
  expect(keyAction('toString')).toBeUndefined()
})
