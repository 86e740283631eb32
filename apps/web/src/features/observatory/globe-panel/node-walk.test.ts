import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unitVector } from '../geometry/unit-vector.ts'
import { along, createProjection, centreOn } from '../globe/projection.ts'
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
  neighbour: undefined,
} as const

const bar = { isOpen: true, state: 'open', href: '/islands/bar', isElsewhere: false } as const

test('screen readers announce a node’s name, status, place, position and where Enter leads', () => {
  expect(spokenNode(node, { position: 3, total: 12 })).toBe(
    'Harbour Pi, online, 48.2°N, 16.4°W. 3 of 12 in sight. Enter opens harbour.example.',
  )
  expect(spokenNode({ ...node, link: '' }, { position: 1, total: 1 })).toMatch(
    /Enter selects it\.$/,
  )
  expect(
    spokenNode({ ...node, island: { ...bar, name: 'Harbor Bar' } }, { position: 1, total: 1 }),
  ).toMatch(/Enter opens the island Harbor Bar\.$/)
  expect(spokenNode({ ...node, isPrivate: true }, { position: 1, total: 1 })).toMatch(
    /^Harbour Pi, online, private, /,
  )
})

// Not doubles: most of them are close to 0 and would be at the same place.
const anyPlace = fc.record({
  latDeg: fc.integer({ min: -9000, max: 9000 }).map((hundredths) => hundredths / 100),
  lonDeg: fc.integer({ min: -18_000, max: 18_000 }).map((hundredths) => hundredths / 100),
})

test('the keyboard goes through the nodes in view, from the middle outwards', () => {
  fc.assert(
    fc.property(
      fc.array(anyPlace, { maxLength: 100 }),
      anyPlace,
      fc.integer({ min: 100, max: 400 }),
      (places, { latDeg: pitchDeg, lonDeg: yawDeg }, radiusPx) => {
        const picture = { radiusPx, widthPx: 360, heightPx: 460 }
        const projection = createProjection()
        Object.assign(projection, { centreXPx: 180, centreYPx: 230, radiusPx })
        centreOn(projection.axes, pitchDeg, yawDeg)
        const unit = Float32Array.from(places.flatMap((place) => unitVector(place)))
        const columns = { ...noNodes, count: places.length, unit }
        const camera = { view: 'earth', zoom: 1, yawDeg, pitchDeg } as const
        const seen = places.map((place) => {
          const [x, y, z] = unitVector(place)
          const px = (axis: number) => radiusPx * along(projection.axes, axis, x, y, z)
          const [rightPx, upPx, frontPx] = [px(0), px(3), px(6)]
          return {
            awayPx: Math.hypot(rightPx, upPx),
            // Distance to the nearest edge; negative if it is not visible.
            insidePx: Math.min(180 - Math.abs(rightPx), 230 - Math.abs(upPx), frontPx),
          }
        })
        const walked = [...visibleNodes(columns, camera, picture)].map((index) => seen[index])
        // With single precision, a node on an edge may be on either side.
        expect(walked.every((found) => found && found.insidePx > -0.01)).toBe(true)
        const within = seen.filter(({ insidePx }) => insidePx > 0.01)
        expect(within.every((found) => walked.includes(found))).toBe(true)
        for (const [at, found] of walked.entries()) {
          expect(found?.awayPx).toBeLessThan((walked[at + 1]?.awayPx ?? Infinity) + 0.5)
        }
      },
    ),
  )
})
