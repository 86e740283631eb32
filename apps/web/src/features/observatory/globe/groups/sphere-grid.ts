/** With more cells, visiting empty ones would cost more than crowded ones save. */
const mostCellsAcross = 80

/**
 * Nodes on the unit sphere, sorted into the cubes of a grid, so that a search near a point only visits a
 * few of them. Three dimensions have neither poles nor an antimeridian. A node is an index into `unit`.
 * Nodes that were taken are removed, so that a crowd is not searched again and again.
 */
export function createSphereGrid(unit: Float32Array, count: number, side: number) {
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
