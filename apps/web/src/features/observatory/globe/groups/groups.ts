import { compactCount } from '../../drawing/compact-count.ts'
import { type Rgb, rgbOf, statusColors } from '../../drawing/node-look.ts'
import { type Place, placeOf, radPerDeg } from '../../geometry/unit-vector.ts'
import { type NodeColumns, statusCodes } from '../../nodes/node-columns.ts'
import type { GlobeScene } from '../globe-scene.ts'
import { along, type Projection, type ScreenPoint } from '../projection.ts'
import { glyphs } from '../strokes.ts'
import { groupNodes, type NodeGroups } from './group-nodes.ts'

/** In CSS pixels: a lone node's mark is some 3 in radius, and half covered from there on. */
const coveringPx = 4
/** Marks of groups with this much between their middles stand side by side. */
const gatheringPx = 28
/** Nearer to the rim than this share of the radius, marks lie on one another: there they fade. */
const fadingShare = 0.3
const textPx = 11
/** Digits are as wide as this share of their height; a point is half as wide. */
const digitShare = 0.6
const ringPx = 3

const ink: Rgb = rgbOf('#e8edf7')
const online: Rgb = rgbOf(statusColors.online)

/** A group under a pointer. */
export interface GroupHit extends Place {
  /** All its nodes, the first of the list first. */
  readonly indexes: readonly number[]
  /** How wide a part of the Earth they lie in. */
  readonly spanDeg: number
}

export interface Groups {
  /** The group of each node, counted from 1; 0 for a node that stands alone. */
  readonly groupOf: Uint32Array
  /** Tells that these nodes have other statuses now. */
  follow(columns: NodeColumns, changed: Uint32Array): void
  stroke(scene: GlobeScene): void
  /** The group whose mark is at a point of the canvas, or within so much of it. */
  pick(projection: Projection, point: ScreenPoint, slackPx: number): GroupHit | undefined
}

/** The groups of these nodes on a globe with this radius; made anew when either is another one. */
export function createGroups(columns: NodeColumns, radiusPx: number): Groups {
  const groups = groupNodes(columns, {
    covering: coveringPx / radiusPx,
    gathering: gatheringPx / radiusPx,
    markOf: (size) => markRadiusPx(compactCount(size)) / radiusPx,
  })
  const { count, groupOf, unit, sizes, online: onlineIn } = groups
  const known = columns.status.slice()
  const counts = groupTexts(sizes)

  return {
    groupOf,
    follow({ status }, changed) {
      for (let i = 0; i < changed.length; i++) {
        const index = changed[i] ?? 0
        const group = groupOf[index] ?? 0
        const isOnline = status[index] === statusCodes.online
        const wasOnline = known[index] === statusCodes.online
        known[index] = status[index] ?? 0
        if (group === 0 || isOnline === wasOnline) continue
        onlineIn[group - 1] = (onlineIn[group - 1] ?? 0) + (isOnline ? 1 : -1)
      }
    },
    stroke({ projection, strokes, skyShare, widthPx, heightPx }) {
      if (skyShare === 1) return
      const { axes, centreXPx, centreYPx, radiusPx: planetPx } = projection
      const [rx = 0, ry = 0, rz = 0, ux = 0, uy = 0, uz = 0, fx = 0, fy = 0, fz = 0] = axes
      for (let group = 0; group < count; group++) {
        const x = unit[group * 3] ?? 0
        const y = unit[group * 3 + 1] ?? 0
        const z = unit[group * 3 + 2] ?? 0
        const front = fx * x + fy * y + fz * z
        if (front < 0) continue
        const xPx = centreXPx + planetPx * (rx * x + ry * y + rz * z)
        const yPx = centreYPx - planetPx * (ux * x + uy * y + uz * z)
        if (xPx < 0 || yPx < 0 || xPx > widthPx || yPx > heightPx) continue
        const alpha = Math.min(1, front / fadingShare) * (1 - skyShare)
        const markPx = counts.radiusPx[group] ?? 0
        const share = (onlineIn[group] ?? 0) / (sizes[group] ?? 1)
        strokes.share(xPx, yPx, markPx - ringPx / 2, ringPx, share, online, alpha)
        const end = counts.ends[group] ?? 0
        for (let at = counts.ends[group - 1] ?? 0; at < end; at++) {
          const offsetPx = counts.offsetsPx[at] ?? 0
          strokes.glyph(xPx + offsetPx, yPx, textPx, counts.glyphs[at] ?? 0, ink, alpha)
        }
      }
    },
    pick({ axes, centreXPx, centreYPx, radiusPx: planetPx }, { xPx, yPx }, slackPx) {
      let nearest: number | undefined
      let nearestPx = Infinity
      for (let group = 0; group < count; group++) {
        const x = unit[group * 3] ?? 0
        const y = unit[group * 3 + 1] ?? 0
        const z = unit[group * 3 + 2] ?? 0
        if (along(axes, 6, x, y, z) < 0) continue
        const awayPx = Math.hypot(
          centreXPx + planetPx * along(axes, 0, x, y, z) - xPx,
          centreYPx - planetPx * along(axes, 3, x, y, z) - yPx,
        )
        if (awayPx > (counts.radiusPx[group] ?? 0) + slackPx || awayPx >= nearestPx) continue
        nearest = group
        nearestPx = awayPx
      }
      return nearest === undefined ? undefined : hitOf(columns, groups, nearest)
    },
  }
}

function hitOf(columns: NodeColumns, { groupOf, unit }: NodeGroups, group: number): GroupHit {
  const [x = 0, y = 0, z = 0] = unit.subarray(group * 3, group * 3 + 3)
  const indexes: number[] = []
  let farthest = 0
  for (let index = 0; index < groupOf.length; index++) {
    if (groupOf[index] !== group + 1) continue
    indexes.push(index)
    const at = index * 3
    const toX = (columns.unit[at] ?? 0) - x
    const toY = (columns.unit[at + 1] ?? 0) - y
    const toZ = (columns.unit[at + 2] ?? 0) - z
    farthest = Math.max(farthest, Math.hypot(toX, toY, toZ))
  }
  return { indexes, ...placeOf([x, y, z]), spanDeg: (2 * farthest) / radPerDeg }
}

/** Room for a count of so many characters. */
function markRadiusPx(text: string): number {
  return 8.5 + 2 * text.length
}

/** What stands on the marks, laid out once: a drag draws hundreds of them in each frame. */
function groupTexts(sizes: Uint32Array) {
  const texts = Array.from(sizes, compactCount)
  const glyphCodes: number[] = []
  const offsetsPx: number[] = []
  const ends = new Uint32Array(texts.length)
  for (const [group, text] of texts.entries()) {
    let rightPx = 0
    for (const glyph of text) rightPx -= glyphWidthPx(glyph) / 2
    for (const glyph of text) {
      const widthPx = glyphWidthPx(glyph)
      glyphCodes.push(glyphs.indexOf(glyph))
      offsetsPx.push(rightPx + widthPx / 2)
      rightPx += widthPx
    }
    ends[group] = glyphCodes.length
  }
  return {
    radiusPx: Float32Array.from(texts, markRadiusPx),
    /** Of each glyph its place among `glyphs`, and how far to the right of the middle it stands. */
    glyphs: Uint8Array.from(glyphCodes),
    offsetsPx: Float32Array.from(offsetsPx),
    /** Where the glyphs of each group end. */
    ends,
  }
}

function glyphWidthPx(glyph: string): number {
  return textPx * (glyph === '.' ? digitShare / 2 : digitShare)
}
