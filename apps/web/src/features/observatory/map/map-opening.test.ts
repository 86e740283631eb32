import { expect, test } from 'vitest'
import { createNodeStore } from '../nodes/node-store.ts'
import { nodesAt } from '../nodes/testing/nodes-at.ts'
import { maxZoom } from './map-camera.ts'
import { mostListed, openMarker } from './map-opening.ts'
import { markerScene } from './marker-scene.ts'

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

test('a single node opens itself', () => {
  expect(opened([{ latDeg: 1, lonDeg: 1 }], 3)).toEqual({ kind: 'node', id: 'node-0' })
})

test('a group opens a closer view of all its nodes', () => {
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

test('a group that no zoom separates opens a list', () => {
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

test('at the closest zoom a group opens a list', () => {
  const places = [
    { latDeg: 0, lonDeg: 0 },
    { latDeg: 0.05, lonDeg: 0 },
  ]
  expect(opened(places, maxZoom).kind).toBe('spot')
})

test('a list is limited and has the total', () => {
  const places = Array.from({ length: 300 }, () => ({ latDeg: 5, lonDeg: 5 }))
  const opening = opened(places, 4)
  if (opening.kind !== 'spot') throw new Error(`It opened a ${opening.kind}`)
  expect(opening.ids).toHaveLength(mostListed)
  expect(opening.total).toBe(300)
})
