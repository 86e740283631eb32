import { compactCount } from '../drawing/compact-count.ts'
import { type Box, boxesOverlap, firstFree } from '../geometry/boxes.ts'
import type { NodeColumns } from '../nodes/node-columns.ts'
import { nodeName } from '../nodes/node-name.ts'
import { type MapMarker, nodesOf } from './marker-cells.ts'

export const mostMarkers = 500

/** Larger than the 24 pixels that WCAG 2.5.8 requires of a target. */
const markerHeightPx = 28
const nodeWidthPx = 28
const pillPaddingPx = 20
const symbolPx = 16
const gapPx = 4
const digitPx = 7.2

export function shownCounts(marker: MapMarker): { readonly online: string; readonly all: string } {
  return { online: compactCount(marker.online), all: `of ${compactCount(nodesOf(marker))}` }
}

/** An estimate of a marker's width, precise enough to keep markers apart. */
function markerWidthPx(marker: MapMarker): number {
  if (nodesOf(marker) === 1) return nodeWidthPx
  const { online, all } = shownCounts(marker)
  return pillPaddingPx + symbolPx + gapPx + digitPx * (online.length + all.length)
}

function boxAround({ x, y }: MapMarker, worldPx: number, widthPx: number, heightPx: number): Box {
  return { leftPx: x * worldPx - widthPx / 2, topPx: y * worldPx - heightPx / 2, widthPx, heightPx }
}

/** Free space between markers side by side and between markers above each other. */
const gapXPx = 6
const gapYPx = 12
/** Each pass leaves far fewer overlaps. After these, the rest overlap by a pixel or two. */
const passes = 4

/**
 * Merges markers that would overlap at this world size, the smaller into the larger. Beyond `mostMarkers`,
 * the smallest merge into their nearest neighbours. The counts keep their sum.
 */
export function separateMarkers(markers: readonly MapMarker[], worldPx: number): MapMarker[] {
  let separate = [...markers]
  for (let pass = 0; pass < passes; pass++) {
    const before = separate.length
    separate = joinOverlapping(separate, worldPx)
    if (separate.length === before) break
  }
  return separate
}

interface PlacedMarker {
  marker: MapMarker
  box: Box
}

function joinOverlapping(markers: readonly MapMarker[], worldPx: number): MapMarker[] {
  const boxOf = (marker: MapMarker) =>
    boxAround(marker, worldPx, markerWidthPx(marker) + gapXPx, markerHeightPx + gapYPx)
  const placed: PlacedMarker[] = []
  // The sort is stable: of two equal markers, the one in the earlier cell stays.
  for (const marker of markers.toSorted((one, other) => nodesOf(other) - nodesOf(one))) {
    const box = boxOf(marker)
    const isFull = placed.length >= mostMarkers
    let nearest: PlacedMarker | undefined
    let nearestSquare = Infinity
    for (const other of placed) {
      if (!isFull && !boxesOverlap(box, other.box)) continue
      const square = (other.marker.x - marker.x) ** 2 + (other.marker.y - marker.y) ** 2
      if (square < nearestSquare) {
        nearest = other
        nearestSquare = square
      }
    }
    if (nearest === undefined) {
      placed.push({ marker, box })
    } else {
      nearest.marker = joined(nearest.marker, marker)
      nearest.box = boxOf(nearest.marker)
    }
  }
  return placed.map(({ marker }) => marker)
}

function joined(larger: MapMarker, smaller: MapMarker): MapMarker {
  return {
    x: larger.x,
    y: larger.y,
    online: larger.online + smaller.online,
    offline: larger.offline + smaller.offline,
    other: larger.other + smaller.other,
    firstIndex: Math.min(larger.firstIndex, smaller.firstIndex),
    cells: [...larger.cells, ...smaller.cells],
  }
}

const labelHeightPx = 18
const labelGapPx = 12
const labelCharacters = 12
const characterPx = 7

/** The label next to each single node; undefined for groups and if there is no room. */
export function markerLabels(
  columns: NodeColumns,
  markers: readonly MapMarker[],
  worldPx: number,
): (string | undefined)[] {
  const taken = markers.map((marker) =>
    nodesOf(marker) === 1
      ? // Only the mark must stay free, not the whole target area.
        boxAround(marker, worldPx, labelGapPx, labelGapPx)
      : boxAround(marker, worldPx, markerWidthPx(marker), markerHeightPx),
  )
  const labels: (string | undefined)[] = markers.map(() => undefined)
  const onlineFirst = [...markers.entries()]
    .filter(([, marker]) => nodesOf(marker) === 1)
    .toSorted(([, one], [, other]) => other.online - one.online)
  for (const [index, { x, y, firstIndex }] of onlineFirst) {
    const text = firstCharacters(nodeName(columns, firstIndex), labelCharacters)
    const wish = {
      leftPx: x * worldPx + labelGapPx,
      topPx: y * worldPx - labelHeightPx / 2,
      widthPx: text.length * characterPx,
      heightPx: labelHeightPx,
    }
    const box = firstFree([wish], taken)
    if (box === undefined) continue
    taken.push(box)
    labels[index] = text
  }
  return labels
}

const segmenter = new Intl.Segmenter()

/** The first characters as people count them: an emoji of several code points is one. */
function firstCharacters(text: string, most: number): string {
  let first = ''
  let count = 0
  for (const { segment } of segmenter.segment(text)) {
    if (count === most) break
    count += 1
    first += segment
  }
  return first
}
