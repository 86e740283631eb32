import { type NodeColumns, statusCodes } from '../nodes/node-columns.ts'

export type NodeGroups = ReturnType<typeof groupNodes>

/** Lengths as shares of the globe's radius. */
interface GroupReach {
  readonly covering: number
  readonly gathering: number
  /** How far the mark of a group of this size covers its surroundings. */
  readonly markOf: (size: number) => number
}

/** With more nodes than this in one cell, they are certain to overlap, so nothing is measured. */
const crowd = 60

/**
 * Groups the nodes that cover each other by half or more, from the densest place on, and those that the
 * group's mark would cover. Distances go straight through the sphere, so groups do not change when the
 * globe turns. 100,000 nodes take about 30 ms, so it runs outside the frame.
 */
export function groupNodes(columns: NodeColumns, reach: GroupReach) {
  const { count, unit, status, from } = columns
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
  const takeMiddle = (): Vector => {
    const [x, y, z] = sum
    const length = Math.hypot(x, y, z) || 1
    sum.fill(0)
    return [x / length, y / length, z / length]
  }

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
  /** Makes a group of a cell's covered nodes; false if none are left. A wide crowd takes several calls. */
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

  const own = new Uint32Array(sizes.length)
  const online = new Uint32Array(sizes.length)
  const onlineOfNeighbours = new Uint32Array(sizes.length)
  for (let index = 0; index < count; index++) {
    const group = (groupOf[index] ?? 0) - 1
    if (group < 0) continue
    const isOwn = from[index] === 0
    if (isOwn) own[group] = (own[group] ?? 0) + 1
    if (status[index] !== statusCodes.online) continue
    const counts = isOwn ? online : onlineOfNeighbours
    counts[group] = (counts[group] ?? 0) + 1
  }
  return {
    count: sizes.length,
    /** The group of each node, from 1; 0 for a single node. */
    groupOf,
    unit: Float32Array.from(middles),
    sizes: Uint32Array.from(sizes),
    /** How many of each group are this installation's. */
    own,
    /** How many of those are online; in a group of neighbours' nodes alone, how many of these. */
    online: online.map((ownOnline, group) =>
      own[group] === 0 ? (onlineOfNeighbours[group] ?? 0) : ownOnline,
    ),
  }
}

type Vector = readonly [x: number, y: number, z: number]

function vectorAt(unit: Float32Array, index: number): Vector {
  return [unit[index * 3] ?? 0, unit[index * 3 + 1] ?? 0, unit[index * 3 + 2] ?? 0]
}

type SphereGrid = ReturnType<typeof createSphereGrid>

/** 1 for each node that another one covers by half or more. */
function coveredNodes({ count, unit }: NodeColumns, grid: SphereGrid, covering: number) {
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

/** With more cells, visiting empty ones would cost more than crowded ones save. */
const mostCellsAcross = 80

/**
 * Nodes on the unit sphere in the cubes of a grid: three dimensions have neither poles nor an
 * antimeridian. A node that was taken is removed, so that a crowd is not searched again and again.
 */
function createSphereGrid(unit: Float32Array, count: number, side: number) {
  const across = Math.max(1, Math.min(mostCellsAcross, Math.floor(2 / side)))
  const starts = new Uint32Array(across ** 3 + 1)
  const cellOf = new Uint32Array(count)
  const nodes = new Uint32Array(count)

  const stepOf = (part: number) =>
    Math.min(across - 1, Math.max(0, Math.floor(((part + 1) / 2) * across)))
  for (let index = 0, at = 0; index < count; index++, at += 3) {
    const column = stepOf(unit[at] ?? 0) * across + stepOf(unit[at + 1] ?? 0)
    const cell = column * across + stepOf(unit[at + 2] ?? 0)
    cellOf[index] = cell
    starts[cell + 1] = (starts[cell + 1] ?? 0) + 1
  }
  for (let cell = 0; cell < across ** 3; cell++) {
    starts[cell + 1] = (starts[cell + 1] ?? 0) + (starts[cell] ?? 0)
  }
  const ends = starts.slice()
  for (let index = 0; index < count; index++) {
    const cell = cellOf[index] ?? 0
    const rank = ends[cell] ?? 0
    nodes[rank] = index
    ends[cell] = rank + 1
  }

  /** Visits the remaining nodes within reach until `visit` returns 'enough'. `visit` may take its node. */
  const search = (
    x: number,
    y: number,
    z: number,
    reach: number,
    visit: (index: number, take: () => void) => 'enough' | undefined,
  ) => {
    const square = reach * reach
    const [left, bottom, back] = [stepOf(x - reach), stepOf(y - reach), stepOf(z - reach)]
    const [right, top, front] = [stepOf(x + reach), stepOf(y + reach), stepOf(z + reach)]
    let cell = 0
    let rank = 0
    const take = () => {
      const last = (ends[cell] ?? 0) - 1
      nodes[rank] = nodes[last] ?? 0
      ends[cell] = last
    }
    for (let i = left; i <= right; i++) {
      for (let j = bottom; j <= top; j++) {
        for (let k = back; k <= front; k++) {
          cell = (i * across + j) * across + k
          // Backwards: the last node, which moves into the gap, has been visited already.
          for (rank = (ends[cell] ?? 0) - 1; rank >= (starts[cell] ?? 0); rank--) {
            const index = nodes[rank] ?? 0
            const toX = (unit[index * 3] ?? 0) - x
            const toY = (unit[index * 3 + 1] ?? 0) - y
            const toZ = (unit[index * 3 + 2] ?? 0) - z
            if (toX * toX + toY * toY + toZ * toZ > square) continue
            if (visit(index, take) === 'enough') return
          }
        }
      }
    }
  }

  return {
    cellOf,
    cells: across ** 3,
    leftIn: (cell: number) => nodes.subarray(starts[cell], ends[cell]),
    countLeft: (cell: number) => (ends[cell] ?? 0) - (starts[cell] ?? 0),
    search,
  }
}
