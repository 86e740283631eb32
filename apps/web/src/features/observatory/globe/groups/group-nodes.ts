import { type NodeColumns, statusCodes } from '../../nodes/node-columns.ts'
import { createSphereGrid } from './sphere-grid.ts'

/** Nodes that would cover one another, gathered into counted marks. */
export interface NodeGroups {
  readonly count: number
  /** The group of each node, counted from 1; 0 for a node that stands alone. */
  readonly groupOf: Uint32Array
  /** x, y, z of each group's middle on the unit sphere. */
  readonly unit: Float32Array
  /** How many nodes are in each group, and how many of them are online. */
  readonly sizes: Uint32Array
  readonly online: Uint32Array
}

/** Lengths as shares of the globe's radius. */
interface GroupReach {
  /** Nodes this close cover one another by half or more. */
  readonly covering: number
  /** Covered nodes this close to the middle of a crowd belong to it. */
  readonly gathering: number
  /** So far does the mark of a group with so many nodes cover what stands beside it. */
  readonly markOf: (size: number) => number
}

/** So many in one cell cover one another for certain: nobody has to measure that. */
const crowd = 60

/**
 * Gathers the nodes that cover one another by half or more, from the densest place on, and those that
 * the counted mark would cover. Distances are straight through the sphere, so that a group stays one
 * however the globe is turned. 100,000 nodes take some 30 ms: it is done off the
 * frame, when zoom or nodes are others.
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
  /** The mean of what was added since the last one, on the sphere. */
  const takeMiddle = (): Vector => {
    const [x, y, z] = sum
    const length = Math.hypot(x, y, z) || 1
    sum.fill(0)
    return [x / length, y / length, z / length]
  }

  /** Takes the covered nodes around a place, and says where their middle is. */
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
  /** Makes a group of the crowd in a cell; of the rest of it another one, if it is wider than that. */
  const groupCell = (cell: number): boolean => {
    const crowded = grid.leftIn(cell).filter((index) => covered[index] === 1)
    const [first] = crowded
    if (first === undefined) return false
    for (const index of crowded) add(index)
    const group = sizes.length + 1
    let middle = gather(takeMiddle(), group)
    // Around the middle of two corners there may be nobody.
    if (size === 0) middle = gather(vectorAt(unit, first), group)
    grid.search(...middle, reach.markOf(size), (index, take) => {
      take()
      groupOf[index] = group
      size += 1
      return undefined
    })
    if (size === 1) {
      // All that covered it went to others.
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

/** The cells with covered nodes in them, those with the most first. */
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
