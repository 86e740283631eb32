import { type Rgb, rgbOf } from '../drawing/node-style.ts'
import { type Place, unitVector } from '../geometry/unit-vector.ts'
import type { GlobeScene } from './globe-scene.ts'
import { along } from './projection.ts'

export interface GlobeArc {
  readonly from: Place
  readonly to: Place
}

const pieces = 32
const numbersPerArc = (pieces + 1) * 3
/** How far the middle of an arc halfway around the planet stands out, in planet radii. */
const greatestLift = 0.6
const tint: Rgb = rgbOf('#67e8f9')

/**
 * Lines above the ground along great circles, among the strokes that are drawn anyway. 20 of them take 0.01 ms a
 * frame.
 */
export function createArcStrokes() {
  let points = new Float32Array(0)
  return {
    set(arcs: readonly GlobeArc[]) {
      points = new Float32Array(arcs.length * numbersPerArc)
      for (const [at, arc] of arcs.entries()) writeArc(points, at * numbersPerArc, arc)
    },
    stroke({ projection, strokes, skyShare }: GlobeScene) {
      const { axes, centreXPx, centreYPx, radiusPx } = projection
      let [ax, ay] = [0, 0]
      let wasHidden = true
      for (let at = 0; at < points.length; at += 3) {
        const x = points[at] ?? 0
        const y = points[at + 1] ?? 0
        const z = points[at + 2] ?? 0
        const right = along(axes, 0, x, y, z)
        const up = along(axes, 3, x, y, z)
        const isHidden = along(axes, 6, x, y, z) < 0 && right * right + up * up < 1
        const bx = centreXPx + radiusPx * right
        const by = centreYPx - radiusPx * up
        const piece = (at % numbersPerArc) / 3
        if (piece > 0 && !isHidden && !wasHidden) {
          // It brightens towards its end, which says who looks at whom.
          const alpha = (0.3 + 0.6 * (piece / pieces)) * (1 - skyShare)
          strokes.line(ax, ay, bx, by, 1.75, tint, alpha)
        }
        wasHidden = isHidden
        ax = bx
        ay = by
      }
    },
  }
}

function writeArc(points: Float32Array, offset: number, { from, to }: GlobeArc) {
  const [ax, ay, az] = unitVector(from)
  const [bx, by, bz] = unitVector(to)
  const angle = Math.acos(Math.min(1, Math.max(-1, ax * bx + ay * by + az * bz)))
  const sine = Math.sin(angle)
  for (let piece = 0; piece <= pieces; piece += 1) {
    const share = piece / pieces
    // Opposite places, and the same one, have no great circle of their own: the line is straight.
    const a = sine < 1e-4 ? 1 - share : Math.sin((1 - share) * angle) / sine
    const b = sine < 1e-4 ? share : Math.sin(share * angle) / sine
    const lift = 1 + greatestLift * (angle / Math.PI) * Math.sin(share * Math.PI)
    points[offset + piece * 3] = (a * ax + b * bx) * lift
    points[offset + piece * 3 + 1] = (a * ay + b * by) * lift
    points[offset + piece * 3 + 2] = (a * az + b * bz) * lift
  }
}
