import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unitVector } from '../geometry/unit-vector.ts'
import { statusCodes } from '../nodes/node-columns.ts'
import { nodesAt } from '../nodes/testing/nodes-at.ts'
import { groupNodes, type NodeGroups } from './group-nodes.ts'

/** 4, 24 and 11 px on a globe with a radius of 200 px. */
const reach = { covering: 0.02, gathering: 0.12, markOf: () => 0.055 }

const anyNode = fc.record({
  // Crowded, also at a pole and across the antimeridian.
  latDeg: fc.oneof(
    fc.double({ min: 80, max: 90, noNaN: true }),
    fc.double({ min: -5, max: 5, noNaN: true }),
  ),
  lonDeg: fc.oneof(
    fc.double({ min: 175, max: 180, noNaN: true }),
    fc.double({ min: -180, max: -175, noNaN: true }),
  ),
  status: fc.constantFrom(0, 1, 2),
})

function indexesOf(group: number, { groupOf }: NodeGroups): number[] {
  return [...groupOf.keys()].filter((index) => groupOf[index] === group)
}

test('each node is alone or counted in one group of two and more, with the online among them', () => {
  fc.assert(
    fc.property(fc.array(anyNode, { maxLength: 300 }), (nodes) => {
      const groups = groupNodes(nodesAt(nodes), reach)
      for (let group = 1; group <= groups.count; group++) {
        const members = indexesOf(group, groups)
        const online = members.filter((index) => nodes[index]?.status === statusCodes.online)
        expect(members.length).toBeGreaterThan(1)
        expect(groups.sizes[group - 1]).toBe(members.length)
        expect(groups.online[group - 1]).toBe(online.length)
      }
      const counted = groups.sizes.reduce((sum, size) => sum + size, 0)
      expect(counted + indexesOf(0, groups).length).toBe(nodes.length)
    }),
  )
})

test('no single node covers another one by half', () => {
  fc.assert(
    fc.property(fc.array(anyNode, { maxLength: 300 }), (nodes) => {
      const groups = groupNodes(nodesAt(nodes), reach)
      const alone = indexesOf(0, groups).flatMap((index) => nodes[index] ?? [])
      const vectors = alone.map((node) => unitVector(node))
      for (const [i, [x, y, z]] of vectors.entries()) {
        for (const other of vectors.slice(i + 1)) {
          const away = Math.hypot(other[0] - x, other[1] - y, other[2] - z)
          expect(away).toBeGreaterThan(reach.covering - 1e-6)
        }
      }
    }),
  )
})

const at = (lonDeg: number) => ({ latDeg: 0, lonDeg, status: statusCodes.online })

test('nodes side by side stay single; a node that the group’s mark would cover joins it', () => {
  // 2 degrees are 0.035, 3 are 0.052 and 5 are 0.087.
  const apart = groupNodes(nodesAt([at(0), at(2), at(4)]), reach)
  expect(apart.count).toBe(0)
  const crowded = groupNodes(nodesAt([at(0), at(0), at(3), at(5)]), reach)
  expect([...crowded.groupOf]).toEqual([1, 1, 1, 0])
  expect([...crowded.sizes]).toEqual([3])
})

test('a crowd wider than a mark becomes several groups, the densest in its middle', () => {
  const crowd = Array.from({ length: 90 }, (_, i) => ({
    latDeg: 0,
    lonDeg: i < 70 ? 10 : i - 60,
    status: statusCodes.offline,
  }))
  const groups = groupNodes(nodesAt(crowd), { ...reach, covering: 0.03 })
  expect(groups.count).toBeGreaterThan(1)
  const [x = 0, , z = 0] = groups.unit
  expect((Math.atan2(x, z) * 180) / Math.PI).toBeCloseTo(10, 0)
})
