import { lightColour, type Paint, waterColour } from './colours.ts'
import type { Random } from './seeded-random.ts'
import {
  cone,
  cross,
  face,
  line,
  type Material,
  outline,
  plus,
  type Point,
  ring,
  type Shape,
  spark,
  times,
  unit,
  wall,
} from './solids.ts'

/** Draws something on the ground at a point, in a given size. */
export type Building = (at: Point, size: number, random: Random, paint: Paint) => Shape[]

const walls: Material = { dark: 0.34, lit: 0.68 }
const roof: Material = { dark: 0.62, lit: 1.42 }
const crystalSides: Material = { dark: 0.36, lit: 1.5 }
const leaves: Material = { dark: 0.42, lit: 1.12 }
const plainLight: Material = { dark: 1.95, lit: 2 }
const glow: Material = { dark: 1.55, lit: 1.95 }

const lineTone = 1.5

/**
 * A smaller face within a four-cornered wall. Its edges are fractions, from left to right and from bottom
 * to top.
 */
function within(
  [a, b, , d]: readonly [Point, Point, Point, Point],
  [left, right]: readonly [number, number],
  [bottom, top]: readonly [number, number],
): Point[] {
  const along = plus(b, times(a, -1))
  const up = plus(d, times(a, -1))
  const corner = (x: number, y: number) => plus(a, plus(times(along, x), times(up, y)))
  return [corner(left, bottom), corner(right, bottom), corner(right, top), corner(left, top)]
}

function eachWall(
  lower: readonly Point[],
  upper: readonly Point[],
  draw: (corners: readonly [Point, Point, Point, Point], index: number) => Shape[],
): Shape[] {
  return lower.flatMap((a, index) => {
    const next = (index + 1) % lower.length
    const [b, c, d] = [lower[next], upper[next], upper[index]]
    return b && c && d ? draw([a, b, c, d], index) : []
  })
}

export const house: Building = (at, size, random, paint) => {
  const turn = random.between(0.25, 0.6) + Math.PI / 4
  const height = size * random.between(0.8, 1.15)
  const base = ring(at, size * 0.72, 4, turn)
  const eaves = ring(plus(at, [0, height, 0]), size * 0.72, 4, turn)
  const overhang = ring(plus(at, [0, height - 0.5, 0]), size * 0.95, 4, turn)
  const ridge = plus(at, [0, height + size * random.between(0.75, 1.15), 0])
  const hasAccessPolicy = random.chance(0.5)
  return [
    ...wall(base, eaves, paint, walls),
    ...eachWall(base, eaves, (corners, index) => {
      const isDoor = hasAccessPolicy && index % 2 === 0
      const opening = isDoor
        ? within(corners, [0.36, 0.64], [0, 0.56])
        : within(corners, [0.34, 0.66], [0.34, 0.68])
      return face(opening, paint, plainLight)
    }),
    ...cone(overhang, ridge, paint, roof),
  ]
}

export const tower: Building = (at, size, random, paint) => {
  const turn = random.between(0, 1)
  const height = size * random.between(1.7, 2.2)
  const base = ring(at, size * 0.48, 6, turn)
  const top = ring(plus(at, [0, height, 0]), size * 0.36, 6, turn)
  const lampBase = ring(plus(at, [0, height, 0]), size * 0.26, 6, turn)
  const lampTop = ring(plus(at, [0, height + size * 0.36, 0]), size * 0.26, 6, turn)
  const brim = ring(plus(at, [0, height + size * 0.36, 0]), size * 0.42, 6, turn)
  return [
    ...wall(base, top, paint, walls),
    ...eachWall(base, top, (corners, index) =>
      index % 2 === 0 ? face(within(corners, [0.3, 0.7], [0.5, 0.62]), paint, plainLight) : [],
    ),
    ...face(top, paint, roof),
    ...wall(lampBase, lampTop, paint, plainLight),
    ...cone(brim, plus(at, [0, height + size * 0.86, 0]), paint, roof),
  ]
}

export const tent: Building = (at, size, random, paint) => {
  const turn = random.between(0, 1)
  const base = ring(at, size * 0.95, 6, turn)
  const eaves = ring(plus(at, [0, size * 0.42, 0]), size * 1.02, 6, turn)
  const top = plus(at, [0, size * 1.5, 0])
  return [
    ...wall(base, eaves, paint, walls),
    ...eachWall(base, eaves, (corners, index) =>
      index % 2 === 0 ? face(within(corners, [0.3, 0.7], [0, 0.8]), paint, plainLight) : [],
    ),
    ...cone(eaves, top, paint, roof),
    line([top, plus(top, [0, size * 0.35, 0])], paint.shade(lineTone), 1.2),
    spark(plus(top, [0, size * 0.38, 0]), lightColour, 2.6),
  ]
}

export const dome: Building = (at, size, random, paint) => {
  const sides = 8
  const turn = random.between(0, 0.5)
  const level = (angle: number) =>
    ring(plus(at, [0, Math.sin(angle) * size, 0]), Math.cos(angle) * size, sides, turn)
  const rings = [level(0), level(0.5), level(0.95)]
  const [base = [], belt = [], crown = []] = rings
  const lit: Material = { dark: 0.3, lit: 0.95 }
  return [
    ...wall(base, belt, paint, lit),
    ...eachWall(base, belt, (corners, index) =>
      index % 2 === 0 ? face(within(corners, [0.24, 0.76], [0.3, 0.78]), paint, plainLight) : [],
    ),
    ...wall(belt, crown, paint, lit),
    ...cone(crown, plus(at, [0, size, 0]), paint, lit),
  ]
}

export const dish: Building = (at, size, random, paint) => {
  const side = random.pick([-1, 1])
  const foot = plus(at, [0, size * 1.15, 0])
  const legs = [-0.42, 0, 0.42].map((x, index) =>
    line(
      [foot, plus(at, [x * size, 0, index === 1 ? -size * 0.3 : size * 0.25])],
      paint.shade(lineTone),
      1.3,
    ),
  )
  const axis = unit([side * 0.75, 0.55, 0.4])
  const middle = plus(foot, times(axis, size * 0.2))
  const across = unit(cross([0, 1, 0], axis))
  const upwards = cross(axis, across)
  const rim = Array.from({ length: 8 }, (_, index) => {
    const angle = (index / 8) * 2 * Math.PI
    const out = plus(times(across, Math.cos(angle)), times(upwards, Math.sin(angle)))
    return plus(plus(middle, times(axis, size * 0.32)), times(out, size * 0.92))
  })
  const bowl = rim.flatMap((point, index) => {
    const next = rim[(index + 1) % rim.length]
    return next === undefined ? [] : face([point, next, middle], paint, { dark: 0.5, lit: 1.45 })
  })
  const back = rim.flatMap((point, index) => {
    const next = rim[(index + 1) % rim.length]
    return next === undefined ? [] : face([next, point, middle], paint, walls)
  })
  const feed = plus(middle, times(axis, size * 0.95))
  return [
    ...legs,
    ...back,
    ...bowl,
    line([middle, feed], paint.shade(lineTone), 1.2),
    spark(feed, lightColour),
  ]
}

export const mast: Building = (at, size, random, paint) => {
  const height = size * random.between(2.2, 3)
  const top = plus(at, [0, height, 0])
  const half = size * 0.34
  const stroke = paint.shade(lineTone)
  const rungs = [0.25, 0.5, 0.75].map((share) => {
    const width = half * (1 - share)
    const left = plus(at, [-width, height * share, 0])
    return line([left, plus(left, [width * 2, 0, 0])], stroke, 0.9)
  })
  return [
    line([plus(at, [-half, 0, 0]), top, plus(at, [half, 0, 0])], stroke, 1.2),
    ...rungs,
    spark(plus(top, [0, 1.5, 0]), lightColour),
  ]
}

/** A screen for film nights. */
export const screen: Building = (at, size, random, paint) => {
  const turn = random.between(-0.45, 0.1)
  const [x, z] = [Math.cos(turn), -Math.sin(turn)]
  const corner = (share: number, height: number, depth: number): Point =>
    plus(at, [
      x * share * size * 1.15 - z * depth,
      height * size,
      z * share * size * 1.15 + x * depth,
    ])
  const front = [corner(-1, 0.35, 1), corner(1, 0.35, 1), corner(1, 1.6, 1), corner(-1, 1.6, 1)]
  const behind = [
    corner(-1, 0.35, -1),
    corner(1, 0.35, -1),
    corner(1, 1.6, -1),
    corner(-1, 1.6, -1),
  ]
  const [, rightLow, rightHigh] = front
  const [, farLow, farHigh] = behind
  const [a, b, c, d] = front
  if (!a || !b || !c || !d || !rightLow || !rightHigh || !farLow || !farHigh) return []
  return [
    line([corner(-0.7, 0, 0), corner(-0.7, 0.4, 0)], paint.shade(lineTone), 1.4),
    line([corner(0.7, 0, 0), corner(0.7, 0.4, 0)], paint.shade(lineTone), 1.4),
    ...face([rightLow, farLow, farHigh, rightHigh], paint, walls),
    ...face([d, c, farHigh, behind[3] ?? d], paint, roof),
    ...face(front, paint, walls),
    ...face(within([a, b, c, d], [0.07, 0.93], [0.1, 0.9]), paint, glow),
    ...face(within([a, b, c, d], [0.44, 0.6], [0.32, 0.68]).slice(0, 3), paint, walls),
  ]
}

export const crystal: Building = (at, size, random, paint) => {
  const lean = random.between(-0.22, 0.22)
  const height = size * random.between(2.1, 2.9)
  const turn = random.between(0, 1.2)
  const sides = 5
  const base = ring(at, size * 0.36, sides, turn)
  const belly = ring(plus(at, [lean * height * 0.5, height * 0.55, 0]), size * 0.62, sides, turn)
  const tip = plus(at, [lean * height, height, 0])
  return [...wall(base, belly, paint, crystalSides), ...cone(belly, tip, paint, crystalSides)]
}

/** A glass hall. */
export const greenhouse: Building = (at, size, random, paint) => {
  const turn = random.between(0.2, 0.5)
  const [x, z] = [Math.cos(turn), -Math.sin(turn)]
  const length = size * 1.25
  const arch = (end: number) =>
    Array.from({ length: 6 }, (_, index): Point => {
      const angle = (index / 5) * Math.PI
      const across = Math.cos(angle) * size * 0.72
      return plus(at, [
        x * length * end - z * across,
        Math.sin(angle) * size * 0.95,
        z * length * end + x * across,
      ])
    })
  const [left, right] = [arch(-1), arch(1)]
  const panes = left.slice(0, -1).flatMap((a, index) => {
    const [b, c, d] = [right[index], right[index + 1], left[index + 1]]
    if (!b || !c || !d) return []
    const corners = [a, b, c, d] as const
    return [
      face(corners, paint, { dark: 0.5, lit: 1.2 }),
      face(within(corners, [0.06, 0.46], [0.1, 0.9]), paint, glow, -0.35),
      face(within(corners, [0.54, 0.94], [0.1, 0.9]), paint, glow, -0.35),
    ].flat()
  })
  return [...face(right.toReversed(), paint, walls), ...face(left, paint, walls), ...panes]
}

/** A cube that hovers above its pad. */
export const hovering: Building = (at, size, random, paint) => {
  const turn = random.between(0.2, 0.7)
  const lift = size * random.between(0.7, 1.1)
  const pad = ring(plus(at, [0, 0.6, 0]), size * 0.8, 8, turn)
  const low = ring(plus(at, [0, lift, 0]), size * 0.68, 4, turn)
  const high = ring(plus(at, [0, lift + size * 1.05, 0]), size * 0.68, 4, turn)
  return [
    ...face(pad, paint, { dark: 1.1, lit: 1.3 }),
    ...wall(low, high, paint, { dark: 0.34, lit: 0.85 }),
    ...face(high, paint, roof),
    ...eachWall(low, high, (corners) =>
      face(within(corners, [0.3, 0.7], [0.3, 0.7]), paint, plainLight),
    ),
  ]
}

export const pine: Building = (at, size, random, paint) => {
  const turn = random.between(0, 1)
  const height = size * random.between(1.7, 2.3)
  const tier = (low: number, high: number, width: number) =>
    cone(
      ring(plus(at, [0, height * low, 0]), size * width, 6, turn),
      plus(at, [0, height * high, 0]),
      paint,
      leaves,
    )
  return [
    line([at, plus(at, [0, height * 0.25, 0])], paint.shade(0.35), size * 0.2),
    ...tier(0.18, 0.72, 0.56),
    ...tier(0.48, 1, 0.42),
  ]
}

export const roundTree: Building = (at, size, random, paint) => {
  const turn = random.between(0, 1)
  const trunk = size * random.between(0.5, 0.8)
  const level = (height: number, width: number) =>
    ring(plus(at, [0, trunk + height * size, 0]), width * size, 6, turn)
  const [low, belly, high] = [level(0, 0.3), level(0.45, 0.62), level(0.95, 0.4)]
  return [
    line([at, plus(at, [0, trunk + size * 0.2, 0])], paint.shade(0.35), size * 0.2),
    ...wall(low, belly, paint, leaves),
    ...wall(belly, high, paint, leaves),
    ...cone(high, plus(at, [0, trunk + size * 1.15, 0]), paint, leaves),
  ]
}

export const boulder: Building = (at, size, random, paint) => {
  const turn = random.between(0, 1)
  const base = ring(at, size * 0.5, 5, turn)
  const tip = plus(at, [random.between(-0.15, 0.15) * size, size * random.between(0.35, 0.6), 0])
  return cone(base, tip, paint, { dark: 0.35, lit: 0.85 })
}

export const lamp: Building = (at, size, random, paint) => {
  const top = plus(at, [0, size * random.between(1.6, 2.2), 0])
  return [line([at, top], paint.shade(lineTone), 1.2), spark(plus(top, [0, 1.4, 0]), lightColour)]
}

/** A pond, the only thing in a colour other than the island's. */
export const pond: Building = (at, size, random, paint) => {
  const shore = ring(at, size, 8, random.between(0, 1)).map((point): Point => {
    const by = random.between(0.8, 1.15)
    return [at[0] + (point[0] - at[0]) * by, at[1], at[2] + (point[2] - at[2]) * by]
  })
  const water = shore.map((point): Point => [
    at[0] + (point[0] - at[0]) * 0.86,
    at[1],
    at[2] + (point[2] - at[2]) * 0.86,
  ])
  return [...face(shore, paint, { dark: 0.45, lit: 0.5 }), { d: outline(water), fill: waterColour }]
}
