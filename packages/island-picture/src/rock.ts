import type { Paint } from './colours.ts'
import type { Random } from './seeded-random.ts'
import { cone, face, line, type Material, plus, type Point, ring, type Shape } from './solids.ts'

const stone: Material = { dark: 0.2, lit: 0.54 }
const ground: Material = { dark: 0.6, lit: 0.9 }

export interface Rock {
  readonly shapes: readonly Shape[]
  /** Half the width of the ground. */
  readonly radius: number
}

interface RockPlace {
  readonly at: Point
  readonly radius: number
  readonly depth: number
}

/** A rock in the sky: a flat top, a waist, and a point at the bottom. */
export function drawRock(random: Random, paint: Paint): Rock {
  const radius = random.between(66, 82)
  const depth = random.between(58, 78)
  const shapes = [
    ...drawCrumbs(random, paint, radius),
    ...drawOne(random, paint, { at: [0, 0, 0], radius, depth }),
  ]
  return { shapes, radius }
}

function drawOne(random: Random, paint: Paint, { at, radius, depth }: RockPlace): Shape[] {
  const corners = random.whole(8, 10)
  const turn = random.between(0, Math.PI)
  const uneven = (point: Point, low: number, high: number): Point => {
    const by = random.between(low, high)
    return [point[0] * by, point[1] * random.between(0.8, 1.2), point[2] * by]
  }
  const rim = ring([0, 0, 0], radius, corners, turn).map((point) => uneven(point, 0.86, 1.06))
  const waistWidth = random.between(0.6, 0.78)
  const waist = ring([0, -depth * 0.38, 0], radius * waistWidth, corners, turn + 0.3).map((point) =>
    uneven(point, 0.84, 1.1),
  )
  const tip: Point = [
    random.between(-0.3, 0.3) * radius,
    -depth,
    random.between(-0.1, 0.2) * radius,
  ]
  const placed = (points: readonly Point[]) => points.map((point) => plus(point, at))
  const [top, middle, end] = [placed(rim), placed(waist), plus(tip, at)]
  return [
    ...cone(middle, end, paint, { dark: stone.dark - 0.04, lit: stone.lit - 0.16 }),
    ...drawBand(middle, top, paint),
    ...drawGround(random, paint, top),
  ]
}

/**
 * The band between waist and rim. It consists of triangles, because four uneven corners don't lie in a
 * plane.
 */
function drawBand(lower: readonly Point[], upper: readonly Point[], paint: Paint): Shape[] {
  return lower.flatMap((a, corner) => {
    const next = (corner + 1) % lower.length
    const [b, c, d] = [lower[next], upper[next], upper[corner]]
    if (!b || !c || !d) return []
    return corner % 2 === 0
      ? [...face([a, b, c], paint, stone), ...face([a, c, d], paint, stone)]
      : [...face([a, b, d], paint, stone), ...face([b, c, d], paint, stone)]
  })
}

function drawGround(random: Random, paint: Paint, rim: readonly Point[]): Shape[] {
  const [first] = rim
  if (first === undefined) return []
  const height = first[1]
  const centre: Point = [
    rim.reduce((sum, [x]) => sum + x, 0) / rim.length + random.between(-12, 12),
    height,
    rim.reduce((sum, [, , z]) => sum + z, 0) / rim.length,
  ]
  const meadow = rim.flatMap((point, corner) => {
    const next = rim[(corner + 1) % rim.length] ?? first
    return face([point, next, centre], paint, ground, random.between(-0.015, 0.015))
  })
  return [...meadow, ...drawEdge(paint, rim)]
}

/** The light on the edge nearest to the viewer. */
function drawEdge(paint: Paint, rim: readonly Point[]): Shape[] {
  const leftmost = rim.reduce(
    (best, point, at) => (point[0] < (rim[best]?.[0] ?? 0) ? at : best),
    0,
  )
  const fromLeft = [...rim.slice(leftmost), ...rim.slice(0, leftmost)]
  const rightmost = fromLeft.reduce(
    (best, point, at) => (point[0] > (fromLeft[best]?.[0] ?? 0) ? at : best),
    0,
  )
  return [line(fromLeft.slice(0, rightmost + 1), paint.shade(1.45), 0.9)]
}

/** Fragments that float beside the rock. */
function drawCrumbs(random: Random, paint: Paint, radius: number): Shape[] {
  return Array.from({ length: random.whole(0, 2) }, (_, index) => {
    const size = random.between(5, 10)
    const side = index === 0 ? 1 : -1
    const at: Point = [
      side * (radius * random.between(0.72, 0.95)),
      random.between(-60, -36),
      random.between(-20, 20),
    ]
    return drawOne(random, paint, { at, radius: size, depth: size * random.between(1.3, 1.9) })
  }).flat()
}
