import { colourIndex } from '../../../neighbours/neighbour-colours.ts'
import { writeUnitVector } from '../geometry/unit-vector.ts'

/** Status codes as stored. Nodes with a higher code are drawn on top. */
export const statusCodes = { other: 0, offline: 1, online: 2 } as const

export interface NodeRecord {
  readonly id: string
  readonly label: string
  readonly latDeg: number
  readonly lonDeg: number
  readonly status: number
  /** Empty if there is none, or if it is not safe to follow. */
  readonly link: string
  /** The visitor's own private node. */
  readonly isPrivate?: boolean
  /** The neighbour whose device it is; absent for the devices of this installation. */
  readonly neighbour?: NodeNeighbour
}

/** Another installation, as its nodes need it. */
export interface NodeNeighbour {
  readonly id: string
  readonly name: string
  readonly address: string
  /** Which of the neighbours' colours it has. */
  readonly colour: number
}

/** One text per node, concatenated. 100,000 separate strings would block the main thread for long. */
export interface TextColumn {
  readonly text: string
  /** The end of each node's text. It begins at the end of the previous one. */
  readonly ends: Uint32Array
}

/** The nodes to draw, one column per property. A node is an index into all columns. */
export interface NodeColumns {
  readonly count: number
  /** Degrees, finite and in range. */
  readonly latDeg: Float64Array
  readonly lonDeg: Float64Array
  /** x, y, z of each node on the unit sphere: y to the north pole, z to lat 0, lon 0. */
  readonly unit: Float32Array
  /** Values of statusCodes. The only column that changes in place. */
  readonly status: Uint8Array
  readonly ids: TextColumn
  readonly labels: TextColumn
  /** Empty for a node without a link; otherwise safe to follow. */
  readonly links: TextColumn
  readonly privates: Uint32Array
  /** Nodes that carry an island. The island's mark is drawn in their place. */
  readonly islands: Uint32Array
  readonly neighbours: readonly NodeNeighbour[]
  /** Whose node it is: 0 for this installation's, n for the nth of `neighbours`. */
  readonly from: Uint8Array
}

export const noNodes = packColumns([])

export function packColumns(
  nodes: readonly NodeRecord[],
  carriers: ReadonlySet<string> = new Set(),
): NodeColumns {
  const count = nodes.length
  const latDeg = new Float64Array(count)
  const lonDeg = new Float64Array(count)
  const unit = new Float32Array(3 * count)
  const status = new Uint8Array(count)
  const neighbours: NodeNeighbour[] = []
  const from = new Uint8Array(count)
  for (const [index, node] of nodes.entries()) {
    if (node.neighbour !== undefined) {
      const at = neighbours.indexOf(node.neighbour)
      from[index] = at === -1 ? neighbours.push(node.neighbour) : at + 1
    }
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
    privates: Uint32Array.from(nodes.keys().filter((index) => nodes[index]?.isPrivate === true)),
    islands: Uint32Array.from(nodes.keys().filter((index) => carriers.has(nodes[index]?.id ?? ''))),
    neighbours,
    from,
  }
}

export function pickNodes(columns: NodeColumns, indexes: Uint32Array): NodeColumns {
  const count = indexes.length
  const unit = new Float32Array(3 * count)
  for (let at = 0; at < count; at += 1) {
    const from = 3 * (indexes[at] ?? 0)
    unit.set(columns.unit.subarray(from, from + 3), 3 * at)
  }
  const textsOf = (texts: TextColumn) =>
    packTexts(Array.from(indexes, (index) => textAt(texts, index)))
  return {
    count,
    latDeg: Float64Array.from(indexes, (index) => columns.latDeg[index] ?? 0),
    lonDeg: Float64Array.from(indexes, (index) => columns.lonDeg[index] ?? 0),
    unit,
    status: Uint8Array.from(indexes, (index) => columns.status[index] ?? 0),
    ids: textsOf(columns.ids),
    labels: textsOf(columns.labels),
    links: textsOf(columns.links),
    privates: placesAmong(indexes, columns.privates),
    islands: placesAmong(indexes, columns.islands),
    neighbours: columns.neighbours,
    from: Uint8Array.from(indexes, (index) => columns.from[index] ?? 0),
  }
}

function placesAmong(indexes: Uint32Array, chosen: Uint32Array): Uint32Array {
  const all = new Set(chosen)
  return Uint32Array.from(indexes.keys().filter((at) => all.has(indexes[at] ?? 0)))
}

export function buffersOf(columns: NodeColumns): ArrayBufferLike[] {
  const { latDeg, lonDeg, unit, status, ids, labels, links, privates, islands, from } = columns
  const ends = [ids, labels, links].map((texts) => texts.ends)
  return [latDeg, lonDeg, unit, status, ...ends, privates, islands, from].map(
    ({ buffer }) => buffer,
  )
}

export function neighbourAt(
  { neighbours, from }: NodeColumns,
  index: number,
): NodeNeighbour | undefined {
  return neighbours[(from[index] ?? 0) - 1]
}

/** The colour of each node's neighbour, from 1; 0 for the nodes of this installation. */
export function tintsOf({ neighbours, from }: NodeColumns): Uint8Array {
  const tints = [0, ...neighbours.map(({ colour }) => colourIndex(colour) + 1)]
  return from.map((at) => tints[at] ?? 0)
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

export function textAt({ text, ends }: TextColumn, index: number): string {
  return text.slice(index === 0 ? 0 : ends[index - 1], ends[index])
}

/** The node whose text contains the character at this position. */
export function ownerOf({ ends }: TextColumn, position: number): number {
  let low = 0
  let high = ends.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ends[middle] ?? 0) <= position) low = middle + 1
    else high = middle
  }
  return low
}

/** The index of the node with this id. Searches the concatenated ids: about 1 ms for 100,000. */
export function findNode({ ids }: NodeColumns, id: string): number | undefined {
  if (id === '') return undefined
  for (let at = ids.text.indexOf(id); at !== -1; at = ids.text.indexOf(id, at + 1)) {
    const index = ownerOf(ids, at)
    // A match may span the end of one id and the start of the next.
    const start = index === 0 ? 0 : ids.ends[index - 1]
    if (start === at && ids.ends[index] === at + id.length) return index
  }
  return undefined
}
