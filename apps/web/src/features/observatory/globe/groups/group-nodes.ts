import { type NodeColumns, statusCodes } from '../../nodes/node-columns.ts'
import { createSphereGrid } from './sphere-grid.ts'

/** Overlapping nodes, gathered into groups with a count. */
export interface NodeGroups {
  readonly count: number
  /** The group of each node, from 1; 0 for a single node. */
  readonly groupOf: Uint32Array
  /** x, y, z of each group's centre on the unit sphere. */
  readonly unit: Float32Array
  /** The number of nodes in each group, and the number online. */
  readonly sizes: Uint32Array
  readonly online: Uint32Array
}

/** Lengths as shares of the globe's radius. */
interface GroupReach {
  /** Nodes this close cover each other by half or more. */
  readonly covering: number
  /** Covered nodes this close to a crowd's centre belong to it. */
  readonly gathering: number
  /** How far the mark of a group of this size covers its surroundings. */
  readonly markOf: (size: number) => number
}

/** With more nodes than this in one cell, they are certain to overlap, so nothing is measured. */
const crowd = 60

/**
 * Groups the nodes that cover each other by half or more, starting at the densest place, and those that the
 * group's mark would cover. Distances go straight through the sphere, so that groups do not change when the
 * globe turns. 100,000 nodes take about 30 ms, so it runs outside the frame, when the zoom or the nodes
 * have changed.
 */
export function groupNodes(columns: NodeColumns, reach: GroupReach): NodeGroups {
  const { count, unit, status } = columns
  const grid = createSphereGrid(unit, count, reach.gathering)
  const groupOf = new Uint32Array(count)
  const covered = coveredNodes(columns, grid, reach.covering)
  const middles: number[] = []
  const sizes: number[] = []
  const sum: [x: number, y: number, z: number] = [0, 0, 0]
  let size = 0
  let last = 0

  const add = (index: number) => {
    sum[0] += unit[index * 3] ?? 0
    sum[1] += unit[index * 3 + 1] ?? 0
    sum[2] += unit[index * 3 + 2] ?? 0
    size += 1
    last = index
  }
  /** The mean, on the sphere, of the nodes added since the last call. */
  const takeMiddle = (): Vector => {
    const [x, y, z] = sum
    const length = Math.hypot(x, y, z) || 1
    sum.fill(0)
    return [x / length, y / length, z / length]
  }

  /** Takes the covered nodes around a place, and returns their centre. */
  const gather = (place: Vector, group: number): Vector => {
    size = 0
    grid.search(...place, reach.gathering, (index, take) => {
      if (covered[index] === 0) return undefined
      take()
      groupOf[index] = group
      add(index)
      return undefined
    })
    return takeMiddle()
  }
  /**
   * Makes a group of the covered nodes in a cell. Returns false if the cell has none left. Call it again
   * for the rest of a crowd that is wider than one group.
   */
  const groupCell = (cell: number): boolean => {
    const crowded = grid.leftIn(cell).filter((index) => covered[index] === 1)
    const [first] = crowded
    if (first === undefined) return false
    for (const index of crowded) add(index)
    const group = sizes.length + 1
    let middle = gather(takeMiddle(), group)
    // The centre of nodes in two corners may have no nodes near it.
    if (size === 0) middle = gather(vectorAt(unit, first), group)
    grid.search(...middle, reach.markOf(size), (index, take) => {
      take()
      groupOf[index] = group
      size += 1
      return undefined
    })
    if (size === 1) {
      // The nodes that covered it are in other groups.
      groupOf[last] = 0
    } else {
      sizes.push(size)
      middles.push(...middle)
    }
    return true
  }
  for (const cell of densestCells(grid, covered)) {
    while (groupCell(cell));
  }

  const online = new Uint32Array(sizes.length)
  for (let index = 0; index < count; index++) {
    const group = groupOf[index] ?? 0
    if (group > 0 && status[index] === statusCodes.online) {
      online[group - 1] = (online[group - 1] ?? 0) + 1
    }
  }
  return {
    count: sizes.length,
    groupOf,
    unit: Float32Array.from(middles),
    sizes: Uint32Array.from(sizes),
    online,
  }
}

type Vector = readonly [x: number, y: number, z: number]

function vectorAt(unit: Float32Array, index: number): Vector {
  return [unit[index * 3] ?? 0, unit[index * 3 + 1] ?? 0, unit[index * 3 + 2] ?? 0]
}

type SphereGrid = ReturnType<typeof createSphereGrid>

/** 1 for each node that another one covers by half or more. */
function coveredNodes(
  { count, unit }: NodeColumns,
  grid: SphereGrid,
  covering: number,
): Uint8Array {
  const covered = new Uint8Array(count)
  for (let index = 0; index < count; index++) {
    if (covered[index] === 1) continue
    if (grid.countLeft(grid.cellOf[index] ?? 0) > crowd) {
      covered[index] = 1
      continue
    }
    grid.search(...vectorAt(unit, index), covering, (other) => {
      if (other === index) return undefined
      covered[index] = 1
      covered[other] = 1
      return 'enough'
    })
  }
  return covered
}

/** The cells that contain covered nodes, those with the most first. */
function densestCells({ cellOf, cells }: SphereGrid, covered: Uint8Array): Uint32Array {
  const counts = new Uint32Array(cells)
  const found: number[] = []
  for (let index = 0; index < covered.length; index++) {
    if (covered[index] === 0) continue
    const cell = cellOf[index] ?? 0
    if (counts[cell] === 0) found.push(cell)
    counts[cell] = (counts[cell] ?? 0) + 1
  }
  return Uint32Array.from(found).toSorted(
    (one, other) => (counts[other] ?? 0) - (counts[one] ?? 0) || one - other,
  )
}
