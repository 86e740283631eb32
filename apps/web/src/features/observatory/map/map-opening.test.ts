import { expect, test } from 'vitest'
import { createNodeStore } from '../nodes/node-store.ts'
import { afterAction, keyAction } from './map-action.ts'
import { cameraOnSight, maxZoom, minZoom, wholeWorld } from './map-camera.ts'
import { mostListed, openMarker } from './map-opening.ts'
import { markerScene } from './marker-scene.ts'
import { nodesAt } from './nodes-at.ts'
import { popoverCorner } from './popover-corner.ts'

const size = { widthPx: 1044, heightPx: 520 }

function opened(places: readonly { latDeg: number; lonDeg: number }[], zoom: number) {
  const store = createNodeStore()
  store.replace(nodesAt(places.map(({ latDeg, lonDeg }) => ({ latDeg, lonDeg, status: 2 }))))
  const camera = { latDeg: 0, lonDeg: 0, zoom }
  const scene = markerScene(store.columns, camera, size)
  const marker = scene.markers[0]
  if (marker === undefined) throw new Error('Nothing is on the map')
  return openMarker(marker, scene, store)
}

test('a node alone opens itself', () => {
  expect(opened([{ latDeg: 1, lonDeg: 1 }], 3)).toEqual({ kind: 'node', id: 'node-0' })
})

test('a group opens a closer look at all of it', () => {
  const places = [
    { latDeg: 0, lonDeg: 0 },
    { latDeg: 2, lonDeg: 2 },
  ]
  const opening = opened(places, 2)
  if (opening.kind !== 'closer') throw new Error(`It opened a ${opening.kind}`)
  expect(opening.camera.zoom).toBeGreaterThan(6)
  const { markers } = markerScene(
    nodesAt(places.map(({ latDeg, lonDeg }) => ({ latDeg, lonDeg, status: 2 }))),
    opening.camera,
    size,
  )
  expect(markers).toHaveLength(2)
})

test('a group that no zoom takes apart opens a list', () => {
  expect(
    opened(
      [
        { latDeg: 1, lonDeg: 1 },
        { latDeg: 1, lonDeg: 1 },
      ],
      2,
    ),
  ).toMatchObject({
    kind: 'spot',
    ids: ['node-0', 'node-1'],
    total: 2,
  })
})

test('at the closest zoom a group opens a list, too', () => {
  const places = [
    { latDeg: 0, lonDeg: 0 },
    { latDeg: 0.05, lonDeg: 0 },
  ]
  expect(opened(places, maxZoom).kind).toBe('spot')
})

test('a list is bounded and says how many there are', () => {
  const places = Array.from({ length: 300 }, () => ({ latDeg: 5, lonDeg: 5 }))
  const opening = opened(places, 4)
  if (opening.kind !== 'spot') throw new Error(`It opened a ${opening.kind}`)
  expect(opening.ids).toHaveLength(mostListed)
  expect(opening.total).toBe(300)
})

test('zoom stays between 2 and the closest', () => {
  const world = wholeWorld(size)
  expect(afterAction('zoom-out', { ...world, zoom: 2.3 }, size).zoom).toBe(minZoom)
  expect(afterAction('zoom-in', { ...world, zoom: maxZoom }, size).zoom).toBe(maxZoom)
  expect(wholeWorld({ widthPx: 300, heightPx: 520 }).zoom).toBe(2)
  expect(cameraOnSight({ latDeg: 0, lonDeg: 0, spanDeg: 0.0001 }, size).zoom).toBe(maxZoom)
})

test('moving goes round the world, and stops at its northern and southern edge', () => {
  const camera = { latDeg: 0, lonDeg: 175, zoom: 3 }
  expect(afterAction('east', camera, size).lonDeg).toBeLessThan(-150)
  expect(afterAction('west', camera, size).lonDeg).toBeLessThan(175)
  let north = camera
  for (let step = 0; step < 50; step++) north = afterAction('north', north, size)
  expect(north.latDeg).toBeGreaterThan(70)
  expect(north.latDeg).toBeLessThan(85)
})

test('keys that the map does not use are the browser’s', () => {
  expect(keyAction('ArrowLeft')).toBe('west')
  expect(keyAction('Tab')).toBeUndefined()
  expect(keyAction('toString')).toBeUndefined()
})

test('a popover stays within the map', () => {
  const popover = { widthPx: 272, heightPx: 150 }
  expect(popoverCorner({ xPx: 5, yPx: 5 }, popover, size)).toEqual({ xPx: 8, yPx: 25 })
  expect(popoverCorner({ xPx: 1040, yPx: 515 }, popover, size)).toEqual({ xPx: 764, yPx: 345 })
})
