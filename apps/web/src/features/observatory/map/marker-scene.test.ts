import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nodesAt, reefSky } from '../nodes/testing/nodes-at.ts'
import { type MapCamera, mapPixel, placeAt, worldPoint, worldSizePx } from './map-camera.ts'
import { cellGrid, countCells, type MapMarker, markerMembers, nodesOf } from './marker-cells.ts'
import {
  markerScene,
  mostMarkers,
  nextMarker,
  scenePixel,
  separateMarkers,
  shownCounts,
} from './marker-scene.ts'
import type { Size } from '../geometry/boxes.ts'

const size: Size = { widthPx: 1044, heightPx: 520 }
const wholeWorld: MapCamera = { latDeg: 0, lonDeg: 0, zoom: 2 }

const place = fc.record({
  latDeg: fc.double({ min: -90, max: 90, noNaN: true }),
  lonDeg: fc.double({ min: -180, max: 180, noNaN: true }),
  status: fc.constantFrom(0, 1, 2),
})
const camera = fc.record({
  latDeg: fc.double({ min: -60, max: 60, noNaN: true }),
  lonDeg: fc.double({ min: -180, max: 180, noNaN: true }),
  zoom: fc.double({ min: 2, max: 9, noNaN: true }),
})

const total = (markers: readonly MapMarker[], status: 'online' | 'offline' | 'other') =>
  markers.reduce((sum, marker) => sum + marker[status], 0)

test('merging markers loses no node and changes no status', () => {
  fc.assert(
    fc.property(fc.array(place, { maxLength: 300 }), camera, (places, at) => {
      const columns = nodesAt(places)
      const counted = countCells(columns, cellGrid(at, size))
      const markers = separateMarkers(counted, worldSizePx(at.zoom))
      for (const status of ['online', 'offline', 'other'] as const) {
        expect(total(markers, status)).toBe(total(counted, status))
      }
    }),
  )
})

test('every node on the screen is counted, wherever the antimeridian is', () => {
  fc.assert(
    fc.property(fc.array(place, { maxLength: 200 }), camera, (places, at) => {
      const { markers } = markerScene(nodesAt(places), at, size)
      const onScreen = places.filter(({ latDeg, lonDeg }) => {
        const { xPx, yPx } = mapPixel(at, size, worldPoint({ latDeg, lonDeg }))
        return xPx > 1 && yPx > 1 && xPx < size.widthPx - 1 && yPx < size.heightPx - 1
      })
      const counted = markers.reduce((sum, marker) => sum + nodesOf(marker), 0)
      expect(counted).toBeGreaterThanOrEqual(onScreen.length)
      expect(counted).toBeLessThanOrEqual(places.length)
    }),
  )
})

test('a marker has as many nodes as it counts, and shares none with another', () => {
  fc.assert(
    fc.property(fc.array(place, { maxLength: 200 }), camera, (places, at) => {
      const columns = nodesAt(places)
      const { markers, grid } = markerScene(columns, at, size)
      const members = markers.map((marker) => markerMembers(marker, columns, grid, 1000))
      expect(members.map(({ indexes }) => indexes.length)).toEqual(markers.map(nodesOf))
      const all = members.flatMap(({ indexes }) => indexes)
      expect(new Set(all).size).toBe(all.length)
      for (const [index, marker] of markers.entries()) {
        expect(members[index]?.indexes[0]).toBe(marker.firstIndex)
      }
    }),
  )
})

test('the same nodes give the same markers', () => {
  fc.assert(
    fc.property(fc.array(place, { maxLength: 100 }), camera, (places, at) => {
      const one = markerScene(nodesAt(places), at, size)
      const other = markerScene(nodesAt(places), at, size)
      expect(other.markers).toEqual(one.markers)
      expect(other.labels).toEqual(one.labels)
    }),
  )
})

test('there are at most 500 markers, even on a wall of screens', () => {
  const places = Array.from({ length: 40_000 }, (_, index) => ({
    latDeg: -80 + (160 * Math.floor(index / 200)) / 200,
    lonDeg: -180 + (360 * (index % 200)) / 200,
    status: index % 3,
  }))
  const wall = { widthPx: 8000, heightPx: 5000 }
  const { markers } = markerScene(nodesAt(places), { ...wholeWorld, zoom: 5 }, wall)
  expect(markers.length).toBeLessThanOrEqual(mostMarkers)
  expect(markers.length).toBeGreaterThan(mostMarkers / 2)
})

test('nodes far enough apart have their own markers, with labels', () => {
  const { markers, labels } = markerScene(
    nodesAt([
      { latDeg: 52.5, lonDeg: 13.4, status: 2, label: 'A lighthouse on the hill' },
      { latDeg: -33.9, lonDeg: 151.2, status: 1, label: '' },
    ]),
    wholeWorld,
    size,
  )
  expect(markers.map(nodesOf)).toEqual([1, 1])
  expect(labels).toEqual(['A lighthouse', 'node-1'])
})

test('a label covers no marker and no label; labels of online nodes come first', () => {
  const at = { latDeg: 0, lonDeg: 0, zoom: 5 }
  const labelsOf = (...nodes: (readonly [xPx: number, yPx: number, status: number])[]) => {
    const columns = nodesAt(
      nodes.map(([xPx, yPx, status], index) => {
        const { latDeg, lonDeg } = placeAt({
          x: 0.5 + xPx / worldSizePx(5),
          y: 0.5 + yPx / worldSizePx(5),
        })
        return { latDeg, lonDeg, status, label: `Long label ${index}` }
      }),
    )
    return markerScene(columns, at, size).labels.filter((label) => label !== undefined)
  }
  expect(labelsOf([0, 0, 2], [40, 20, 2])).toEqual(['Long label 0', 'Long label 1'])
  expect(labelsOf([0, 0, 2], [40, 5, 2])).toEqual(['Long label 1'])
  expect(labelsOf([0, 0, 2], [40, 16, 2])).toEqual(['Long label 0'])
  expect(labelsOf([0, 0, 1], [40, 16, 2])).toEqual(['Long label 1'])
})

test.each([
  ['Attic', 'Attic'],
  ['Twelve chars', 'Twelve chars'],
  ['Thirteen char', 'Thirteen cha'],
  ['👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀', '👩‍🚀'.repeat(12)],
])('a label is cut to 12 characters: %j', (label, text) => {
  const columns = nodesAt([{ latDeg: 0, lonDeg: 0, status: 2, label }])
  expect(markerScene(columns, wholeWorld, size).labels).toEqual([text])
})

test('nodes at one place share one marker without a label', () => {
  const { markers, labels } = markerScene(
    nodesAt(
      Array.from({ length: 7 }, (_, index) => ({ latDeg: 10, lonDeg: 20, status: index % 3 })),
    ),
    wholeWorld,
    size,
  )
  expect(markers).toMatchObject([{ online: 2, offline: 2, other: 3, firstIndex: 0 }])
  expect(labels).toEqual([undefined])
})

test('a marker says how many nodes are of neighbours apart from the others', () => {
  const here = { latDeg: 10, lonDeg: 20, status: 2 }
  const theirs = { ...here, neighbour: reefSky }
  const countsOf = (...nodes: (typeof here)[]) =>
    markerScene(nodesAt(nodes), wholeWorld, size).markers.map(shownCounts)
  expect(countsOf(here, here, theirs)).toEqual([{ online: '2', all: 'of 2', neighbours: '+1' }])
  expect(countsOf(theirs, theirs)).toEqual([{ online: '', all: '', neighbours: '+2' }])
  expect(countsOf(here, here)).toEqual([{ online: '2', all: 'of 2', neighbours: '' }])
})

test('places on both sides of the antimeridian are neighbours', () => {
  const at = { latDeg: 0, lonDeg: 180, zoom: 3 }
  const { markers } = markerScene(
    nodesAt([
      { latDeg: 0, lonDeg: 179.99, status: 2 },
      { latDeg: 0, lonDeg: -179.99, status: 2 },
    ]),
    at,
    size,
  )
  expect(markers.map(nodesOf)).toEqual([2])
})

test('markers are drawn where the map draws their nodes', () => {
  fc.assert(
    fc.property(place, camera, (where, at) => {
      const scene = markerScene(nodesAt([where]), at, size)
      const marker = scene.markers[0]
      if (marker === undefined) return
      const drawn = scenePixel(scene, at, marker)
      const expected = mapPixel(at, size, marker)
      // A place exactly half way round the world can be drawn on either side.
      const roundPx = Math.abs(drawn.xPx - expected.xPx) % worldSizePx(at.zoom)
      expect(Math.min(roundPx, worldSizePx(at.zoom) - roundPx)).toBeLessThan(0.05)
      expect(drawn.yPx).toBeCloseTo(expected.yPx, 3)
    }),
  )
})

test('a place across the antimeridian is drawn on the near side', () => {
  const at = { latDeg: 0, lonDeg: 179, zoom: 5 }
  const scene = markerScene(nodesAt([]), at, size)
  const { xPx, yPx } = scenePixel(scene, at, worldPoint({ latDeg: 0, lonDeg: -179 }))
  expect(xPx).toBeCloseTo(size.widthPx / 2 + (2 / 360) * worldSizePx(5), 6)
  expect(yPx).toBeCloseTo(size.heightPx / 2, 6)
})

const pixels = [
  { xPx: 100, yPx: 100 },
  { xPx: 200, yPx: 110 },
  { xPx: 150, yPx: 180 },
  { xPx: 400, yPx: 100 },
]
const from = { xPx: 100, yPx: 100 }

test('the next marker is the nearest one ahead, not one to the side', () => {
  expect(nextMarker(pixels, from, 'right')).toBe(1)
  expect(nextMarker(pixels, from, 'down')).toBe(2)
  expect(nextMarker(pixels, { xPx: 200, yPx: 110 }, 'right')).toBe(3)
})

test('without a marker ahead there is no next marker', () => {
  expect(nextMarker(pixels, from, 'left')).toBeUndefined()
  expect(nextMarker(pixels, from, 'up')).toBeUndefined()
  expect(nextMarker([], from, 'right')).toBeUndefined()
})
