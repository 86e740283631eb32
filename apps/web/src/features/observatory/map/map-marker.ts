/** What stands for one node, or for several that are too close to be told apart. */
export interface MapMarker {
  /** On the square world; x is the one of the copy that the grid lies on. */
  readonly x: number
  readonly y: number
  readonly online: number
  readonly offline: number
  readonly other: number
  /** The node, if it is alone; otherwise the first of them. */
  readonly firstIndex: number
  /** The cells of the grid that it stands for. */
  readonly cells: readonly number[]
}

export function nodesOf({ online, offline, other }: MapMarker): number {
  return online + offline + other
}
