import {
  noNodes,
  type NodeColumns,
} from '../../../apps/web/src/features/observatory/nodes/node-columns.ts'

/** Makes nodes that are spread evenly over the sphere, three of five online. Always the same. */
export function madeNodes(count: number): NodeColumns {
  const latDeg = new Float64Array(count)
  const lonDeg = new Float64Array(count)
  const unit = new Float32Array(count * 3)
  const status = new Uint8Array(count)
  for (let i = 0; i < count; i++) {
    // The golden spiral.
    const y = 1 - (2 * i + 1) / count
    const lon = (i * 2.399963229728653) % (2 * Math.PI)
    const across = Math.sqrt(1 - y * y)
    unit.set([across * Math.sin(lon), y, across * Math.cos(lon)], i * 3)
    latDeg[i] = (Math.asin(y) * 180) / Math.PI
    lonDeg[i] = (lon * 180) / Math.PI - (lon > Math.PI ? 360 : 0)
    status[i] = [2, 1, 2, 0, 2][i % 5] ?? 0
  }
  return { ...noNodes, count, latDeg, lonDeg, unit, status }
}
