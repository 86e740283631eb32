import type { GlobeScene } from './globe-scene.ts'
import { coreRadiusOf, type Rgb, rgbOf } from '../drawing/node-style.ts'
import { neighbourColor } from '../../../neighbours/neighbour-colours.ts'
import { neighbourAt, type NodeColumns, statusCodes } from '../nodes/node-columns.ts'
import { project } from './projection.ts'

const white: Rgb = rgbOf('#e2ecff')
const pale: Rgb = rgbOf('#86e5fa')
const cyan: Rgb = rgbOf('#22d3ee')

const starCount = 150
/** How far near stars shift when the globe turns, as a share of the canvas. */
const parallax = 0.045

/** Rings around the planet: size in planet radii, orientation, and the satellites' phases. */
const orbits = [
  { size: 1.42, tiltRad: 1.22, turnRad: -0.42, alpha: 0.42, satellites: [0.62] },
  { size: 1.95, tiltRad: 1.33, turnRad: 0.3, alpha: 0.32, satellites: [2.5, 5.65] },
  { size: 2.75, tiltRad: 1.28, turnRad: -0.16, alpha: 0.22, satellites: [0.2, 3.75, 4.4] },
] as const
const orbitPieces = 72

/** Constellations: x and y of each point as shares of the canvas. Each is joined to the next. */
const constellations = [
  [0.05, 0.24, 0.1, 0.15, 0.155, 0.21, 0.2, 0.12, 0.255, 0.19],
  [0.78, 0.86, 0.835, 0.77, 0.895, 0.81, 0.945, 0.7, 0.9, 0.58],
  [0.86, 0.1, 0.91, 0.2, 0.965, 0.15],
] as const
/** Places follow the R2 sequence (Martin Roberts, 2018), which is even without a visible pattern. */
const stars = Array.from({ length: starCount }, (_, i) => ({
  x: (0.5 + i * 0.7548776662466927) % 1,
  y: (0.5 + i * 0.5698402909980532) % 1,
  depth: (i * 0.6180339887498949) % 1,
}))

/** Stars behind the planet, and in sky view also constellations, orbits and satellites. */
export function strokeScenery(scene: GlobeScene, yawDeg: number, pitchDeg: number): void {
  strokeStars(scene, yawDeg, pitchDeg)
  if (scene.skyShare <= 0) return
  strokeConstellations(scene)
  for (const orbit of orbits) strokeOrbit(scene, orbit, yawDeg)
}

function strokeStars(scene: GlobeScene, yawDeg: number, pitchDeg: number) {
  const { widthPx, heightPx, strokes, projection } = scene
  const { centreXPx, centreYPx, radiusPx } = projection
  const rad = Math.PI / 180
  const bareSquare = (radiusPx + 3) ** 2
  for (const { x, y, depth } of stars) {
    const near = depth * depth
    const xPx = (x - parallax * near * Math.sin(yawDeg * rad)) * widthPx
    const yPx = (y + parallax * near * Math.sin(pitchDeg * rad)) * heightPx
    if ((xPx - centreXPx) ** 2 + (yPx - centreYPx) ** 2 < bareSquare) continue
    const haloPx = depth > 0.93 ? 5 : 0
    const color = depth % 0.1 < 0.025 ? pale : white
    strokes.disc(xPx, yPx, 0.45 + 0.5 * near, haloPx, color, 0.12 + 0.5 * near)
  }
}

function strokeConstellations({ widthPx, heightPx, strokes, projection, skyShare }: GlobeScene) {
  const { centreXPx, centreYPx, radiusPx } = projection
  // On a narrow canvas they would overlap the orbits.
  const room = Math.min(1, Math.max(0, (widthPx - 5 * radiusPx) / (3 * radiusPx)))
  for (const figure of constellations) {
    for (let at = 0; at < figure.length; at += 2) {
      const ax = (figure[at] ?? 0) * widthPx
      const ay = (figure[at + 1] ?? 0) * heightPx
      if (Math.hypot(ax - centreXPx, ay - centreYPx) < radiusPx * 1.2) continue
      strokes.disc(ax, ay, 1.3, 6, white, 0.75 * skyShare * room)
      const [nextX, nextY] = [figure[at + 2], figure[at + 3]]
      if (nextX === undefined || nextY === undefined) continue
      const bx = nextX * widthPx
      const by = nextY * heightPx
      const inset = 7 / Math.hypot(bx - ax, by - ay)
      const [dx, dy] = [(bx - ax) * inset, (by - ay) * inset]
      strokes.line(ax + dx, ay + dy, bx - dx, by - dy, 1, pale, 0.2 * skyShare * room)
    }
  }
}

function strokeOrbit(scene: GlobeScene, orbit: (typeof orbits)[number], yawDeg: number) {
  const { strokes, projection, skyShare } = scene
  const { centreXPx, centreYPx, radiusPx } = projection
  const size = orbit.size * radiusPx
  const flat = Math.cos(orbit.tiltRad)
  const deep = Math.sin(orbit.tiltRad)
  const cosTurn = Math.cos(orbit.turnRad)
  const sinTurn = Math.sin(orbit.turnRad)
  const xAt = (rad: number) =>
    centreXPx + size * (Math.cos(rad) * cosTurn - Math.sin(rad) * flat * sinTurn)
  const yAt = (rad: number) =>
    centreYPx + size * (Math.cos(rad) * sinTurn + Math.sin(rad) * flat * cosTurn)
  const isHidden = (rad: number, x: number, y: number) =>
    Math.sin(rad) * deep < 0 && Math.hypot(x - centreXPx, y - centreYPx) < radiusPx

  let ax = xAt(0)
  let ay = yAt(0)
  for (let i = 1; i <= orbitPieces; i++) {
    const rad = (i / orbitPieces) * 2 * Math.PI
    const bx = xAt(rad)
    const by = yAt(rad)
    if (!isHidden(rad, bx, by)) {
      const near = 0.6 + 0.4 * Math.sin(rad)
      strokes.line(ax, ay, bx, by, 1, pale, orbit.alpha * near * skyShare)
    }
    ax = bx
    ay = by
  }
  for (const phaseRad of orbit.satellites) {
    const rad = phaseRad + (yawDeg * Math.PI) / 180
    const x = xAt(rad)
    const y = yAt(rad)
    if (isHidden(rad, x, y)) continue
    const near = 0.75 + 0.25 * Math.sin(rad)
    strokes.disc(x, y, 2.1 * near, 13 * near, cyan, 0.9 * skyShare)
    strokes.disc(x, y, 1.1 * near, 0, white, 0.95 * skyShare)
  }
}

const ink: Rgb = rgbOf('#e8edf7')
const island: Rgb = rgbOf('#a78bfa')
const ground: Rgb = rgbOf('#05070f')

const fillRows = 5
/** Further islands keep their nodes' marks, so that all strokes of a frame fit. */
const mostIslands = 100

/** Signs of single nodes in addition to their status: rings around private nodes, and islands. */
export function strokeNodeSigns(
  scene: GlobeScene,
  columns: NodeColumns,
  groupOf: Uint32Array | undefined,
): void {
  for (const index of columns.privates) {
    if ((groupOf?.[index] ?? 0) === 0) strokePrivate(scene, columns, index)
  }
  if (scene.skyShare > 0) return
  let count = 0
  for (const index of columns.islands) {
    if (count >= mostIslands) return
    if ((groupOf?.[index] ?? 0) === 0 && strokeIsland(scene, columns, index)) count += 1
  }
}

function strokePrivate(scene: GlobeScene, columns: NodeColumns, index: number): void {
  const point = pointOf(scene, columns, index)
  if (point === undefined) return
  const core = coreRadiusOf(scene.nodeStyle, columns.status[index])
  scene.strokes.ring(point.xPx, point.yPx, core + 3.5, 1.25, ink, 0.9)
}

/** A mountain over water, filled if its carrier is online. Returns whether it is in view. */
function strokeIsland(scene: GlobeScene, columns: NodeColumns, index: number): boolean {
  const point = pointOf(scene, columns, index)
  if (point === undefined) return false
  const { strokes, nodeStyle } = scene
  const { xPx, yPx } = point
  const size = Math.max(4, coreRadiusOf(nodeStyle, columns.status[index]) + 2)
  strokes.disc(xPx, yPx, size + 2, 3, ground, 0.9)
  const neighbour = neighbourAt(columns, index)
  if (neighbour !== undefined) {
    strokes.ring(xPx, yPx, size + 3.5, 1.5, rgbOf(neighbourColor(neighbour.colour)), 1)
  }
  const top = yPx - size
  const foot = yPx + size * 0.55
  const half = size * 0.9
  strokes.line(xPx - half, foot, xPx, top, 1.75, island, 1)
  strokes.line(xPx, top, xPx + half, foot, 1.75, island, 1)
  strokes.line(xPx - half, foot, xPx + half, foot, 1.75, island, 1)
  strokes.line(xPx - size, yPx + size, xPx + size, yPx + size, 1.5, island, 0.9)
  if (columns.status[index] !== statusCodes.online) return true
  const rowPx = (foot - top) / fillRows
  for (let row = 0; row < fillRows; row++) {
    const y = top + (row + 0.5) * rowPx
    const reach = (half * (row + 0.5)) / fillRows
    strokes.line(xPx - reach, y, xPx + reach, y, rowPx + 0.5, island, 1)
  }
  return true
}

function pointOf({ projection }: GlobeScene, { latDeg, lonDeg }: NodeColumns, index: number) {
  return project(projection, { latDeg: latDeg[index] ?? 0, lonDeg: lonDeg[index] ?? 0 })
}
