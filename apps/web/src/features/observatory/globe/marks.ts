import { coreRadiusOf, type Rgb, rgbOf } from '../drawing/node-style.ts'
import { type Place, unitVector } from '../geometry/unit-vector.ts'
import type { NodeColumns } from '../nodes/node-columns.ts'
import type { GlobeScene } from './globe-scene.ts'
import { along, project } from './projection.ts'
import { type Region, regionOutline } from './region.ts'

export interface GlobeMarks {
  readonly region: Region | undefined
  readonly selectedIndex: number | undefined
  readonly focusedIndex: number | undefined
  readonly you: Place | undefined
}

const ink: Rgb = rgbOf('#e8edf7')
const accent: Rgb = rgbOf('#22d3ee')
const accentStrong: Rgb = rgbOf('#67e8f9')
const ground: Rgb = rgbOf('#05070f')
const outlineStepDeg = 2.5

/** The region's outline, the visitor's place, and rings around the selected and the focused node. */
export function createMarkStrokes() {
  let marks: GlobeMarks | undefined
  let outline = new Float32Array(0)
  return {
    set(next: GlobeMarks) {
      if (next.region !== marks?.region) outline = outlineVectors(next.region)
      marks = next
    },
    stroke(scene: GlobeScene, columns: NodeColumns) {
      strokeOutline(scene, outline)
      if (marks?.you !== undefined) strokeYou(scene, marks.you)
      strokeNodeRing(scene, columns, marks?.selectedIndex, 'selected')
      strokeNodeRing(scene, columns, marks?.focusedIndex, 'focused')
    },
  }
}

function outlineVectors(region: Region | undefined) {
  const points = region === undefined ? [] : regionOutline(region, outlineStepDeg)
  return Float32Array.from(points.flatMap((point) => unitVector(point)))
}

function strokeOutline({ projection, strokes }: GlobeScene, outline: Float32Array) {
  const { axes, centreXPx, centreYPx, radiusPx } = projection
  const last = outline.length - 3
  let isAHidden = true
  let ax = 0
  let ay = 0
  for (let i = -3; i <= last; i += 3) {
    const at = i < 0 ? last : i
    const x = outline[at] ?? 0
    const y = outline[at + 1] ?? 0
    const z = outline[at + 2] ?? 0
    const isHidden = along(axes, 6, x, y, z) < 0
    const bx = centreXPx + radiusPx * along(axes, 0, x, y, z)
    const by = centreYPx - radiusPx * along(axes, 3, x, y, z)
    if (i >= 0 && !isHidden && !isAHidden) strokes.line(ax, ay, bx, by, 1.5, accent, 0.75)
    isAHidden = isHidden
    ax = bx
    ay = by
  }
}

function strokeYou(scene: GlobeScene, place: Place) {
  const point = project(scene.projection, place)
  if (point === undefined) return
  const { strokes } = scene
  const { xPx, yPx } = point
  strokes.disc(xPx, yPx, 7, 8, ground, 0.85)
  strokes.ring(xPx, yPx, 6.5, 1.75, ink, 1)
  strokes.disc(xPx, yPx, 2.75, 0, ink, 1)
}

function strokeNodeRing(
  { projection, strokes, nodeStyle }: GlobeScene,
  { latDeg, lonDeg, status, count }: NodeColumns,
  index: number | undefined,
  role: 'selected' | 'focused',
) {
  if (index === undefined || index >= count) return
  const point = project(projection, { latDeg: latDeg[index] ?? 0, lonDeg: lonDeg[index] ?? 0 })
  if (point === undefined) return
  const { xPx, yPx } = point
  const core = coreRadiusOf(nodeStyle, status[index])
  if (role === 'selected') {
    strokes.ring(xPx, yPx, core + 5.5, 4.5, ground, 0.7)
    strokes.ring(xPx, yPx, core + 5.5, 2, accentStrong, 1)
  } else {
    strokes.ring(xPx, yPx, core + 9.5, 4.5, ground, 0.6)
    strokes.ring(xPx, yPx, core + 9.5, 1.75, ink, 1)
  }
}
