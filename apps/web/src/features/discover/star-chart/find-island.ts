/** Undefined if no island is near enough. */
export function nearestIsland(
  positions: Float32Array,
  x: number,
  y: number,
  farthest: number,
): number | undefined {
  let found: number | undefined
  let least = farthest
  for (let at = 0; at < positions.length; at += 2) {
    const distance = Math.hypot((positions[at] ?? 0) - x, (positions[at + 1] ?? 0) - y)
    if (distance > least) continue
    least = distance
    found = at / 2
  }
  return found
}

export interface Heading {
  readonly x: -1 | 0 | 1
  readonly y: -1 | 0 | 1
}

/** How much a sideways offset counts compared with the distance ahead. */
const sidewaysCost = 2.5

/** The next island in an arrow key's direction. The y axis points down. */
export function islandAhead(
  positions: Float32Array,
  x: number,
  y: number,
  heading: Heading,
): number | undefined {
  let found: number | undefined
  let least = Infinity
  for (let at = 0; at < positions.length; at += 2) {
    const dx = (positions[at] ?? 0) - x
    const dy = (positions[at + 1] ?? 0) - y
    const ahead = dx * heading.x + dy * heading.y
    const sideways = Math.abs(dx * heading.y) + Math.abs(dy * heading.x)
    // Only within 60 degrees to either side, and never the start itself.
    if (ahead <= 1e-3 || sideways > ahead * 1.75) continue
    const cost = ahead + sidewaysCost * sideways
    if (cost >= least) continue
    least = cost
    found = at / 2
  }
  return found
}
