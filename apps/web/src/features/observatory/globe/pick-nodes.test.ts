import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Place, unitVector } from '../geometry/unit-vector.ts'
import { type NodeColumns, noNodes, statusCodes } from '../nodes/node-columns.ts'
import { pickNodes } from './pick-nodes.ts'
import { createProjection, lookDownOn, project } from './projection.ts'

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
  lookDownOn(projection.axes, pitchDeg, yawDeg)
  return projection
}

const anyNode = fc.record({
  latDeg: fc.double({ min: -90, max: 90, noNaN: true }),
  lonDeg: fc.double({ min: -180, max: 180, noNaN: true }),
  status: fc.constantFrom(0, 1, 2),
})

test('it finds what projecting every node by itself finds, the nearest first', () => {
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

test('a node behind the globe can not be hit', () => {
  const behind = columnsOf([{ latDeg: 0, lonDeg: 180, status: statusCodes.online }])
  expect(pickNodes(globe(), behind, { xPx: 460, yPx: 230 }, 20)).toEqual([])
  expect(pickNodes(globe(0, 180), behind, { xPx: 460, yPx: 230 }, 20)).toEqual([0])
})

test('of nodes in one place the online come first, then the offline', () => {
  const place = { latDeg: 10, lonDeg: 10 }
  const { online, offline, other } = statusCodes
  const nodes = columnsOf(
    [other, offline, online, offline].map((status) => ({ latDeg: 10, lonDeg: 10, status })),
  )
  const point = project(globe(), place)
  expect(point === undefined ? [] : pickNodes(globe(), nodes, point, 10)).toEqual([2, 1, 3, 0])
})
