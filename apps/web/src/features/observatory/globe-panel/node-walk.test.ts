import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sampleIsland } from '../../../test/sample-island.ts'
import { unitVector } from '../geometry/unit-vector.ts'
import { createProjection, lookDownOn, project } from '../globe/projection.ts'
import { noNodes } from '../nodes/node-columns.ts'
import { spokenNode, visibleNodes } from './node-walk.ts'

const node = {
  id: 'a',
  name: 'Harbour Pi',
  status: 'online',
  link: 'https://harbour.example/',
  latDeg: 48.2082,
  lonDeg: -16.3738,
  isPrivate: false,
  island: undefined,
} as const

test('a listener hears a node’s name, status, place, where in the row it is, and where Enter leads', () => {
  expect(spokenNode(node, { position: 3, total: 12 })).toBe(
    'Harbour Pi, online, 48.2°N, 16.4°W. 3 of 12 in sight. Enter opens harbour.example.',
  )
  expect(spokenNode({ ...node, link: '' }, { position: 1, total: 1 })).toMatch(
    /Enter selects it\.$/,
  )
  expect(
    spokenNode(
      { ...node, island: sampleIsland({ name: 'Harbor Bar' }) },
      { position: 1, total: 1 },
    ),
  ).toMatch(/Enter opens the island Harbor Bar\.$/)
  expect(spokenNode({ ...node, isPrivate: true }, { position: 1, total: 1 })).toMatch(
    /^Harbour Pi, online, private, /,
  )
})

const anyPlace = fc.record({
  latDeg: fc.double({ min: -90, max: 90, noNaN: true }),
  lonDeg: fc.double({ min: -180, max: 180, noNaN: true }),
})

test('the keyboard walks over the nodes in the picture, from its middle outwards', () => {
  fc.assert(
    fc.property(
      fc.array(anyPlace, { maxLength: 100 }),
      anyPlace,
      fc.integer({ min: 100, max: 400 }),
      (places, { latDeg: pitchDeg, lonDeg: yawDeg }, radiusPx) => {
        const picture = { radiusPx, widthPx: 360, heightPx: 460 }
        const projection = createProjection()
        Object.assign(projection, { centreXPx: 180, centreYPx: 230, radiusPx })
        lookDownOn(projection.axes, pitchDeg, yawDeg)
        const unit = Float32Array.from(places.flatMap((place) => unitVector(place)))
        const columns = { ...noNodes, count: places.length, unit }
        const camera = { view: 'earth', zoom: 1, yawDeg, pitchDeg } as const
        const away = (index: number) => {
          const place = places[index]
          const point = place && project(projection, place)
          const isInside =
            point !== undefined &&
            Math.abs(point.xPx - 180) < 180 &&
            Math.abs(point.yPx - 230) < 230
          return isInside ? Math.hypot(point.xPx - 180, point.yPx - 230) : undefined
        }
        const walked = [...visibleNodes(columns, camera, picture)]
        const distances = walked.map((index) => away(index) ?? Infinity)
        // Single precision: what lies on an edge may fall on either side of it.
        const expected = places.keys().filter((index) => away(index) !== undefined)
        expect(expected.every((index) => walked.includes(index))).toBe(true)
        expect(walked.length - distances.filter((distance) => distance < Infinity).length).toBe(0)
        for (const [at, distance] of distances.entries()) {
          expect(distance).toBeLessThan((distances[at + 1] ?? Infinity) + 0.5)
        }
      },
    ),
  )
})
