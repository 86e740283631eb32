import { compactCount } from '../drawing/compact-count.ts'
import { type Rgb, rgbOf, statusColors } from '../drawing/node-style.ts'
import { placeOf, radPerDeg } from '../geometry/unit-vector.ts'
import { type NodeColumns, statusCodes } from '../nodes/node-columns.ts'
import { type GlobeScene, glyphs } from './globe-scene.ts'
import { along, type Projection, type ScreenPoint } from './projection.ts'
import { groupNodes, type NodeGroups } from './group-nodes.ts'

/** In CSS pixels. A single node's mark has a radius of about 3, so at this distance it is half covered. */
const coveringPx = 4
/** Marks of groups with centres this far apart are side by side. */
const gatheringPx = 28
/** Towards the rim, marks overlap. They fade where they face the visitor by less than this share. */
const fadingShare = 0.3
const textPx = 11
/** Width of a digit as a share of its height. A point is half as wide. */
const digitShare = 0.6
const ringPx = 3

const ink: Rgb = rgbOf('#e8edf7')
const online: Rgb = rgbOf(statusColors.online)

/** A group under a pointer. */
export type GroupHit = ReturnType<typeof hitOf>

export type Groups = ReturnType<typeof createGroups>

/** The groups of these nodes on a globe with this radius. Create new ones when either changes. */
export function createGroups(columns: NodeColumns, radiusPx: number) {
  const groups = groupNodes(columns, {
    covering: coveringPx / radiusPx,
    gathering: gatheringPx / radiusPx,
    markOf: (size) => markRadiusPx(compactCount(size)) / radiusPx,
  })
  const { count, groupOf, unit, sizes, own, online: onlineIn } = groups
  const countedStatuses = columns.status.slice()
  const counts = groupTexts(sizes, own)

  return {
    /** The group of each node, from 1; 0 for a single node. */
    groupOf,
    follow({ status, from }: NodeColumns, changed: Uint32Array) {
      for (let i = 0; i < changed.length; i++) {
        const index = changed[i] ?? 0
        const group = groupOf[index] ?? 0
        const isOnline = status[index] === statusCodes.online
        const wasOnline = countedStatuses[index] === statusCodes.online
        countedStatuses[index] = status[index] ?? 0
        if (group === 0 || isOnline === wasOnline) continue
        if (from[index] !== 0 && own[group - 1] !== 0) continue
        onlineIn[group - 1] = (onlineIn[group - 1] ?? 0) + (isOnline ? 1 : -1)
      }
    },
    stroke({ projection, strokes, skyShare, widthPx, heightPx }: GlobeScene) {
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
        const share = (onlineIn[group] ?? 0) / (own[group] || (sizes[group] ?? 1))
        strokes.share(xPx, yPx, markPx - ringPx / 2, ringPx, share, online, alpha)
        const end = counts.ends[group] ?? 0
        for (let at = counts.ends[group - 1] ?? 0; at < end; at++) {
          const offsetPx = counts.offsetsPx[at] ?? 0
          strokes.glyph(xPx + offsetPx, yPx, textPx, counts.glyphs[at] ?? 0, ink, alpha)
        }
      }
    },
    pick(projection: Projection, { xPx, yPx }: ScreenPoint, slackPx: number) {
      const { axes, centreXPx, centreYPx, radiusPx: planetPx } = projection
      let nearest: number | undefined
      let nearestPx = Infinity
      for (let group = 0; group < count; group++) {
        const x = unit[group * 3] ?? 0
        const y = unit[group * 3 + 1] ?? 0
        const z = unit[group * 3 + 2] ?? 0
        if (along(axes, 6, x, y, z) < 0) continue
        const distancePx = Math.hypot(
          centreXPx + planetPx * along(axes, 0, x, y, z) - xPx,
          centreYPx - planetPx * along(axes, 3, x, y, z) - yPx,
        )
        if (distancePx > (counts.radiusPx[group] ?? 0) + slackPx || distancePx >= nearestPx)
          continue
        nearest = group
        nearestPx = distancePx
      }
      return nearest === undefined ? undefined : hitOf(columns, groups, nearest)
    },
  }
}

function hitOf(columns: NodeColumns, { groupOf, unit }: NodeGroups, group: number) {
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

function markRadiusPx(text: string): number {
  return 8.5 + 2 * text.length
}

/**
 * The texts on the marks, laid out once, because a drag draws hundreds of them per frame. They count the
 * nodes of this installation. Groups of neighbours' nodes alone have a plus before their count.
 */
function groupTexts(sizes: Uint32Array, own: Uint32Array) {
  const texts = Array.from(sizes, (size, group) =>
    own[group] ? compactCount(own[group]) : `+${compactCount(size)}`,
  )
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
    glyphs: Uint8Array.from(glyphCodes),
    offsetsPx: Float32Array.from(offsetsPx),
    ends,
  }
}

function glyphWidthPx(glyph: string): number {
  return textPx * (glyph === '.' ? digitShare / 2 : digitShare)
}
