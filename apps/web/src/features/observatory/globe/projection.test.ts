import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Place, unitVector } from '../geometry/unit-vector.ts'
import { createProjection, centreOn, pickNodes, project, unproject } from './projection.ts'
import { type NodeColumns, noNodes, statusCodes } from '../nodes/node-columns.ts'

const anyPlace: fc.Arbitrary<Place> = fc.record({
  latDeg: fc.double({ min: -90, max: 90, noNaN: true }),
  lonDeg: fc.double({ min: -180, max: 180, noNaN: true }),
})
const anySight = fc.record({
  pitchDeg: fc.double({ min: -89, max: 89, noNaN: true }),
  yawDeg: fc.double({ min: -180, max: 180, maxExcluded: true, noNaN: true }),
  radiusPx: fc.double({ min: 80, max: 800, noNaN: true }),
})

function seenFrom({
  pitchDeg,
  yawDeg,
  radiusPx,
}: Record<'pitchDeg' | 'yawDeg' | 'radiusPx', number>) {
  const projection = createProjection()
  Object.assign(projection, { centreXPx: 460, centreYPx: 230, radiusPx })
  centreOn(projection.axes, pitchDeg, yawDeg)
  return projection
}

/** The angle between two places, in radians. */
function apart(one: Place, other: Place): number {
  const [ax, ay, az] = unitVector(one)
  const [bx, by, bz] = unitVector(other)
  return 2 * Math.asin(Math.min(1, Math.hypot(ax - bx, ay - by, az - bz) / 2))
}

describe('projecting', () => {
  test('the place that the camera is above is in the middle', () => {
    fc.assert(
      fc.property(anySight, (sight) => {
        const middle = project(seenFrom(sight), { latDeg: sight.pitchDeg, lonDeg: sight.yawDeg })
        expect(middle?.xPx).toBeCloseTo(460, 3)
        expect(middle?.yPx).toBeCloseTo(230, 3)
      }),
    )
  })

  test('east is to the right, north is up', () => {
    const projection = seenFrom({ pitchDeg: 0, yawDeg: 179, radiusPx: 200 })
    expect(project(projection, { latDeg: 0, lonDeg: -179 })?.xPx).toBeGreaterThan(460)
    expect(project(projection, { latDeg: 2, lonDeg: 179 })?.yPx).toBeLessThan(230)
  })

  test('a place is drawn on the disc, unless it is more than 90 degrees away', () => {
    fc.assert(
      fc.property(anySight, anyPlace, (sight, place) => {
        const point = project(seenFrom(sight), place)
        const angle = apart(place, { latDeg: sight.pitchDeg, lonDeg: sight.yawDeg })
        if (Math.abs(angle - Math.PI / 2) < 1e-5) return
        expect(point !== undefined).toBe(angle < Math.PI / 2)
        if (point === undefined) return
        const radius = Math.hypot(point.xPx - 460, point.yPx - 230)
        expect(radius).toBeCloseTo(sight.radiusPx * Math.sin(angle), 2)
      }),
    )
  })
})

describe('unprojecting', () => {
  test('a projected place comes back, poles and antimeridian included', () => {
    const edge = fc.constantFrom(
      { latDeg: 90, lonDeg: 0 },
      { latDeg: -90, lonDeg: 0 },
      { latDeg: 12, lonDeg: 180 },
      { latDeg: 12, lonDeg: -180 },
    )
    fc.assert(
      fc.property(anySight, fc.oneof(anyPlace, edge), (sight, place) => {
        const projection = seenFrom(sight)
        const point = project(projection, place)
        if (point === undefined) return
        const back = unproject(projection, point)
        // At the rim a hundredth of a pixel is a degree.
        const rim = Math.hypot(point.xPx - 460, point.yPx - 230) / sight.radiusPx
        if (rim > 0.9999) return
        // In single precision a pole's latitude is exact to the root of its rounding, 0.04 degrees.
        expect(back === undefined ? Infinity : apart(back, place)).toBeLessThan(7e-4)
      }),
    )
  })

  test('every point of the disc has a place in range, and no other point has one', () => {
    const share = fc.double({ min: -1.5, max: 1.5, noNaN: true })
    fc.assert(
      fc.property(anySight, share, share, (sight, x, y) => {
        const projection = seenFrom(sight)
        const place = unproject(projection, {
          xPx: 460 + x * sight.radiusPx,
          yPx: 230 + y * sight.radiusPx,
        })
        const radius = Math.hypot(x, y)
        if (Math.abs(radius - 1) < 1e-6) return
        expect(place !== undefined).toBe(radius < 1)
        if (place === undefined) return
        expect(Math.abs(place.latDeg)).toBeLessThanOrEqual(90)
        expect(Math.abs(place.lonDeg)).toBeLessThanOrEqual(180)
      }),
    )
  })

  test('a canvas without a size has no places', () => {
    const projection = seenFrom({ pitchDeg: 0, yawDeg: 0, radiusPx: 0 })
    expect(unproject(projection, { xPx: 460, yPx: 230 })).toBeUndefined()
  })
})

interface Placed extends Place {
  readonly status: number
}

function columnsOf(nodes: readonly Placed[]): NodeColumns {
  return {
    ...noNodes,
    count: nodes.length,
    latDeg: Float64Array.from(nodes, ({ latDeg }) => latDeg),
    lonDeg: Float64Array.from(nodes, ({ lonDeg }) => lonDeg),
    unit: Float32Array.from(nodes.flatMap((node) => unitVector(node))),
    status: Uint8Array.from(nodes, ({ status }) => status),
  }
}

function globe(pitchDeg = 0, yawDeg = 0) {
  const projection = createProjection()
  Object.assign(projection, { centreXPx: 460, centreYPx: 230, radiusPx: 200 })
  centreOn(projection.axes, pitchDeg, yawDeg)
  return projection
}

const anyNode = fc.record({
  latDeg: fc.double({ min: -90, max: 90, noNaN: true }),
  lonDeg: fc.double({ min: -180, max: 180, noNaN: true }),
  status: fc.constantFrom(0, 1, 2),
})

test('it finds the same nodes as projecting each one, nearest first', () => {
  fc.assert(
    fc.property(
      fc.array(anyNode, { maxLength: 200 }),
      fc.integer({ min: 240, max: 680 }),
      fc.integer({ min: 20, max: 440 }),
      fc.double({ min: -89, max: 89, noNaN: true }),
      (nodes, xPx, yPx, pitchDeg) => {
        const projection = globe(pitchDeg, 40)
        const reachPx = 30
        const away = (index: number) => {
          const node = nodes[index]
          const at = node === undefined ? undefined : project(projection, node)
          return at === undefined ? Infinity : Math.hypot(at.xPx - xPx, at.yPx - yPx)
        }
        const picked = pickNodes(projection, columnsOf(nodes), { xPx, yPx }, reachPx)
        const distances = picked.map(away)
        // With single precision, a node at the edge of the reach may be on either side.
        for (const distance of distances) expect(distance).toBeLessThan(reachPx + 0.001)
        for (const [i, distance] of distances.entries()) {
          expect(distance).toBeLessThan((distances[i + 1] ?? Infinity) + 0.001)
        }
        const missed = nodes.keys().filter((index) => !picked.includes(index))
        for (const index of missed) expect(away(index)).toBeGreaterThan(reachPx - 0.001)
      },
    ),
  )
})

test('a node behind the globe can’t be hit', () => {
  const behind = columnsOf([{ latDeg: 0, lonDeg: 180, status: statusCodes.online }])
  expect(pickNodes(globe(), behind, { xPx: 460, yPx: 230 }, 20)).toEqual([])
  expect(pickNodes(globe(0, 180), behind, { xPx: 460, yPx: 230 }, 20)).toEqual([0])
})

test('at one place online nodes come first, then offline ones', () => {
  const place = { latDeg: 10, lonDeg: 10 }
  const { online, offline, other } = statusCodes
  const nodes = columnsOf(
    [other, offline, online, offline].map((status) => ({ latDeg: 10, lonDeg: 10, status })),
  )
  const point = project(globe(), place)
  expect(point === undefined ? [] : pickNodes(globe(), nodes, point, 10)).toEqual([2, 1, 3, 0])
})
