import type { NodeColumns, TextColumn } from './node-columns.ts'
import type { NodeRecord } from './read-node.ts'
import { writeUnitVector } from './unit-vector.ts'

export function packColumns(nodes: readonly NodeRecord[]): NodeColumns {
  const count = nodes.length
  const latDeg = new Float64Array(count)
  const lonDeg = new Float64Array(count)
  const unit = new Float32Array(3 * count)
  const status = new Uint8Array(count)
  for (const [index, node] of nodes.entries()) {
    latDeg[index] = node.latDeg
    lonDeg[index] = node.lonDeg
    status[index] = node.status
    writeUnitVector(unit, 3 * index, node.latDeg, node.lonDeg)
  }
  return {
    count,
    latDeg,
    lonDeg,
    unit,
    status,
    ids: packTexts(nodes.map(({ id }) => id)),
    labels: packTexts(nodes.map(({ label }) => label)),
    links: packTexts(nodes.map(({ link }) => link)),
  }
}

export function packTexts(texts: readonly string[]): TextColumn {
  const ends = new Uint32Array(texts.length)
  let end = 0
  for (const [index, text] of texts.entries()) {
    end += text.length
    ends[index] = end
  }
  return { text: texts.join(''), ends }
}

/** What a worker hands over instead of copying it. */
export function buffersOf(columns: NodeColumns): ArrayBufferLike[] {
  const { latDeg, lonDeg, unit, status, ids, labels, links } = columns
  const arrays = [latDeg, lonDeg, unit, status, ids.ends, labels.ends, links.ends]
  return arrays.map((array) => array.buffer)
}
