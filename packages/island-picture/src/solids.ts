import type { Paint } from './colours.ts'

/** x points to the right, y up, z towards the viewer. The origin is the centre of the ground. */
export type Point = readonly [x: number, y: number, z: number]

/** One path of the picture. */
export interface Shape {
  readonly d: string
  readonly fill?: string
  readonly stroke?: string
  readonly strokeWidth?: number
}

/** The shades from its dark side to its lit side. */
export interface Material {
  readonly dark: number
  readonly lit: number
}

/** The sine of the angle at which the picture looks down at the ground. */
const sinDown = 0.26
const cosDown = Math.sqrt(1 - sinDown ** 2)
const towardsViewer: Point = [0, sinDown, cosDown]
const towardsLight: Point = unit([0.62, 0.6, 0.5])
/** The centre of the ground in the picture. */
const middle = { x: 100, y: 96 }

function projected([x, y, z]: Point): string {
  return `${round(middle.x + x)} ${round(middle.y - y * cosDown + z * sinDown)}`
}

const round = (value: number) => Math.round(value * 10) / 10

export function plus(a: Point, b: Point): Point {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

function minus(a: Point, b: Point): Point {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

export function times([x, y, z]: Point, by: number): Point {
  return [x * by, y * by, z * by]
}

export function cross(a: Point, b: Point): Point {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

function dot(a: Point, b: Point): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

export function unit(point: Point): Point {
  return times(point, 1 / (Math.hypot(...point) || 1))
}

/** Points spaced evenly around a vertical axis, counterclockwise as seen from above. */
export function ring(at: Point, radius: number, corners: number, turn = 0): Point[] {
  return Array.from({ length: corners }, (_, corner) => {
    const angle = turn + (corner / corners) * 2 * Math.PI
    return plus(at, [Math.cos(angle) * radius, 0, -Math.sin(angle) * radius])
  })
}

export function outline(points: readonly Point[]): string {
  return `M${points.map(projected).join('L')}z`
}

/**
 * A face whose corners run counterclockwise as seen from outside. Empty if it faces away from the viewer.
 */
export function face(
  points: readonly Point[],
  paint: Paint,
  { dark, lit }: Material,
  extraTone = 0,
): Shape[] {
  const [a, b, c] = points
  if (a === undefined || b === undefined || c === undefined) return []
  const normal = unit(cross(minus(b, a), minus(c, a)))
  if (dot(normal, towardsViewer) <= 0.001) return []
  const brightness = Math.max(0, (dot(normal, towardsLight) + 0.25) / 1.25)
  const fill = paint.shade(dark + (lit - dark) * brightness + extraTone)
  // The stroke hides the seam that antialiasing leaves between adjacent faces.
  return [{ d: outline(points), fill, stroke: fill, strokeWidth: 0.4 }]
}

export function line(points: readonly Point[], stroke: string, strokeWidth: number): Shape {
  return { d: `M${points.map(projected).join('L')}`, stroke, strokeWidth }
}

/** A dot of light. */
export function spark(at: Point, stroke: string, size = 3.4): Shape {
  return { d: `M${projected(at)}h0`, stroke, strokeWidth: size }
}

/** The faces between two rings with the same number of corners, the lower ring first. */
export function wall(
  lower: readonly Point[],
  upper: readonly Point[],
  paint: Paint,
  material: Material,
): Shape[] {
  return lower.flatMap((point, corner) => {
    const next = (corner + 1) % lower.length
    const [a, b, c] = [lower[next], upper[next], upper[corner]]
    return a && b && c ? face([point, a, b, c], paint, material) : []
  })
}

/** The faces from a ring to a point above or below it. */
export function cone(
  base: readonly Point[],
  tip: Point,
  paint: Paint,
  material: Material,
): Shape[] {
  const isUp = tip[1] > (base[0]?.[1] ?? 0)
  return base.flatMap((point, corner) => {
    const next = base[(corner + 1) % base.length]
    if (next === undefined) return []
    return face(isUp ? [point, next, tip] : [next, point, tip], paint, material)
  })
}
