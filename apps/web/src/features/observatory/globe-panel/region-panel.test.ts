import fc from 'fast-check'
import { expect, test } from 'vitest'
import { regionAt } from '../globe/region.ts'
import { type NodeColumns, noNodes, statusCodes } from '../nodes/node-columns.ts'
import { nodesInRegion, regionName } from './region-panel.tsx'

test.each([
  [-33.87, 151.21, 'New Zealand and Tasman Sea'],
  [-37.81, 144.96, 'Southern Australia'],
  [-31.95, 115.86, 'Southwestern Australia'],
  [-12.46, 130.84, 'Northern Australia and New Guinea'],
  [51.5, -0.13, 'Western Europe'],
  [48.2, 16.4, 'Central Europe'],
  [35.7, 139.7, 'Japan and Korea'],
  [37.8, -122.4, 'Pacific Northwest'],
  [-34.6, -58.4, 'Río de la Plata'],
  [21.3, -157.9, 'Hawaii'],
  [64.1, -21.9, 'Iceland'],
  [28.6, 77.2, 'India'],
  [6.5, 3.4, 'North Central Africa'],
])('lat %d, lon %d lies in %s', (latDeg, lonDeg, name) => {
  expect(regionName(regionAt({ latDeg, lonDeg }))).toBe(name)
})

test('every region has a name', () => {
  for (let latBand = 0; latBand < 6; latBand++) {
    for (let lonBand = 0; lonBand < 12; lonBand++) {
      expect(regionName({ latBand, lonBand })).not.toBe('')
    }
  }
})

const lat = fc.oneof(
  fc.double({ min: -90, max: 90, noNaN: true }),
  fc.constantFrom(-90, -60, -30, 0, 30, 60, 90),
)
const lon = fc.oneof(
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.constantFrom(-180, -150, 0, 150, 180),
)
const anyNode = fc.record({
  latDeg: lat,
  lonDeg: lon,
  status: fc.constantFrom(0, 1, 2),
  from: fc.constantFrom(0, 1),
})
const anyRegion = fc.record({
  latBand: fc.integer({ min: 0, max: 5 }),
  lonBand: fc.integer({ min: 0, max: 11 }),
})

type Placed = typeof anyNode extends fc.Arbitrary<infer T> ? T : never

function columnsOf(nodes: readonly Placed[]): NodeColumns {
  return {
    ...noNodes,
    count: nodes.length,
    latDeg: Float64Array.from(nodes, ({ latDeg }) => latDeg),
    lonDeg: Float64Array.from(nodes, ({ lonDeg }) => lonDeg),
    status: Uint8Array.from(nodes, ({ status }) => status),
    from: Uint8Array.from(nodes, ({ from }) => from),
  }
}

test('a region has the nodes inside it, including edges, poles and the antimeridian', () => {
  fc.assert(
    fc.property(fc.array(anyNode, { maxLength: 60 }), anyRegion, (nodes, region) => {
      const inside = nodes.filter((node) => {
        const { latBand, lonBand } = regionAt(node)
        return latBand === region.latBand && lonBand === region.lonBand
      })
      const { total, own, online, indexes } = nodesInRegion(columnsOf(nodes), region, 60)
      expect(total).toBe(inside.length)
      const here = inside.filter(({ from }) => from === 0)
      expect(own).toBe(here.length)
      expect(online).toBe(here.filter(({ status }) => status === statusCodes.online).length)
      expect(indexes.map((index) => nodes[index])).toEqual(
        inside.toSorted((one, other) => other.status - one.status),
      )
    }),
  )
})

test('at most the requested number is listed, online nodes first', () => {
  const node = { latDeg: 10, lonDeg: 10, from: 0 } as const
  const nodes = columnsOf([
    ...Array.from({ length: 70 }, () => ({ ...node, status: statusCodes.offline })),
    ...Array.from({ length: 70 }, () => ({ ...node, status: statusCodes.online })),
  ])
  const { total, indexes } = nodesInRegion(nodes, regionAt(node), 100)
  expect(total).toBe(140)
  expect(indexes).toHaveLength(100)
  expect(indexes.slice(0, 70)).toEqual(Array.from({ length: 70 }, (_, index) => 70 + index))
})
