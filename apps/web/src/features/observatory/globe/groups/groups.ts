import { compactCount } from '../../drawing/compact-count.ts'
import { type Rgb, rgbOf, statusColors } from '../../drawing/node-look.ts'
import { type Place, placeOf, radPerDeg } from '../../geometry/unit-vector.ts'
import { type NodeColumns, statusCodes } from '../../nodes/node-columns.ts'
import type { GlobeScene } from '../globe-scene.ts'
import { along, type Projection, type ScreenPoint } from '../projection.ts'
import type { Strokes } from '../strokes.ts'
import { groupNodes, type NodeGroups } from './group-nodes.ts'

/** In CSS pixels: a lone node's mark is some 3 in radius, and half covered from there on. */
const coveringPx = 4
/** Marks of groups with this much between their middles stand side by side. */
const gatheringPx = 24
/** Nearer to the rim than this share of the radius, marks lie on one another: there they fade. */
const fadingShare = 0.3
const textPx = 11
/** Digits are as wide as this share of their height; a point is half as wide. */
const digitShare = 0.6
const ringPx = 3

const ink: Rgb = rgbOf('#e8edf7')
const ground: Rgb = rgbOf('#05070f')
const online: Rgb = rgbOf(statusColors.online)
const offline: Rgb = rgbOf(statusColors.offline)

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
  const { count, groupOf, unit, sizes } = groups
  const known = columns.status.slice()
  const texts = Array.from(sizes, compactCount)

  return {
    groupOf,
    follow({ status }, changed) {
      for (let i = 0; i < changed.length; i++) {
        const index = changed[i] ?? 0
        const group = groupOf[index] ?? 0
        const now = status[index] ?? 0
        const was = known[index] ?? 0
        known[index] = now
        if (group === 0 || now === was) continue
        const step = Number(now === statusCodes.online) - Number(was === statusCodes.online)
        groups.online[group - 1] = (groups.online[group - 1] ?? 0) + step
      }
    },
    stroke({ projection, strokes, skyShare, pixelRatio }) {
      if (skyShare === 1) return
      const { axes, centreXPx, centreYPx, radiusPx: planetPx } = projection
      const onPixel = (px: number) => Math.round(px * pixelRatio) / pixelRatio
      for (let group = 0; group < count; group++) {
        const x = unit[group * 3] ?? 0
        const y = unit[group * 3 + 1] ?? 0
        const z = unit[group * 3 + 2] ?? 0
        const front = along(axes, 6, x, y, z)
        if (front < 0) continue
        const text = texts[group] ?? ''
        const alpha = Math.min(1, front / fadingShare) * (1 - skyShare)
        const markPx = markRadiusPx(text)
        const xPx = onPixel(centreXPx + planetPx * along(axes, 0, x, y, z))
        const yPx = onPixel(centreYPx - planetPx * along(axes, 3, x, y, z))
        const share = (groups.online[group] ?? 0) / (sizes[group] ?? 1)
        strokes.disc(xPx, yPx, markPx, 0, ground, 0.88 * alpha)
        strokes.ring(xPx, yPx, markPx - ringPx / 2, ringPx, offline, alpha)
        strokes.arc(xPx, yPx, markPx - ringPx / 2, ringPx, share, online, alpha)
        strokeText(strokes, xPx, yPx, text, alpha)
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
        if (awayPx > markRadiusPx(texts[group] ?? '') + slackPx || awayPx >= nearestPx) continue
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

function strokeText(strokes: Strokes, x: number, y: number, text: string, alpha: number) {
  let right = x
  for (const glyph of text) right -= glyphWidthPx(glyph) / 2
  for (const glyph of text) {
    right += glyphWidthPx(glyph)
    strokes.glyph(right - glyphWidthPx(glyph) / 2, y, textPx, glyph, ink, alpha)
  }
}

function glyphWidthPx(glyph: string): number {
  return textPx * (glyph === '.' ? digitShare / 2 : digitShare)
}
