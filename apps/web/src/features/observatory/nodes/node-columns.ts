/** Statuses as they are stored. A node with a higher one is drawn above the others. */
export const statusCodes = { other: 0, offline: 1, online: 2 } as const

/** One text for each node, end to end: 100,000 strings would cost the main thread a long pause. */
export interface TextColumn {
  readonly text: string
  /** Where each node's text ends; it starts where the one before it ends. */
  readonly ends: Uint32Array
}

/** The nodes that can be drawn, a column for each property; a node is an index into all of them. */
export interface NodeColumns {
  readonly count: number
  /** Degrees, finite and in range. */
  readonly latDeg: Float64Array
  readonly lonDeg: Float64Array
  /** x, y, z of each node on the unit sphere: y to the north pole, z to lat 0, lon 0. */
  readonly unit: Float32Array
  /** Of statusCodes. The one column that changes in place. */
  readonly status: Uint8Array
  readonly ids: TextColumn
  readonly labels: TextColumn
  /** Empty where a node has none; otherwise safe to follow. */
  readonly links: TextColumn
}

export function textAt({ text, ends }: TextColumn, index: number): string {
  return text.slice(index === 0 ? 0 : ends[index - 1], ends[index])
}

const emptyText: TextColumn = { text: '', ends: new Uint32Array(0) }

export const noNodes: NodeColumns = {
  count: 0,
  latDeg: new Float64Array(0),
  lonDeg: new Float64Array(0),
  unit: new Float32Array(0),
  status: new Uint8Array(0),
  ids: emptyText,
  labels: emptyText,
  links: emptyText,
}
