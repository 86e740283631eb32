import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import type { NodeColumns } from '../nodes/node-columns.ts'
import type { NodeStore } from '../nodes/node-store.ts'
import {
  type MapCamera,
  nearestTurn,
  type WorldPoint,
  worldPoint,
  worldSizePx,
} from './map-camera.ts'
import type { MapView } from './map-view.ts'
import { cellGrid, countCells, type MapMarker, nodesOf, ownNodesOf } from './marker-cells.ts'
import { compactCount } from '../drawing/compact-count.ts'
import { type Box, boxesOverlap, firstFree, type Size } from '../geometry/boxes.ts'
import { nodeName } from '../nodes/node-name.ts'
import type { ScreenPoint } from '../../../lib/pointers.ts'

export type MarkerScene = ReturnType<typeof markerScene>

/** With at most this many nodes on screen, labels show at every zoom. */
const fewNodes = 60
const closeZoom = 5

/** The markers for these nodes, with the labels that have room. */
export function markerScene(columns: NodeColumns, camera: MapCamera, size: Size) {
  const grid = cellGrid(camera, size)
  const worldPx = worldSizePx(camera.zoom)
  const markers = separateMarkers(countCells(columns, grid), worldPx)
  const nodes = markers.reduce((sum, marker) => sum + nodesOf(marker), 0)
  const hasLabels = nodes <= fewNodes || camera.zoom >= closeZoom
  const labels = hasLabels ? markerLabels(columns, markers, worldPx) : []
  return { columns, camera, size, grid, markers, labels }
}

/** Where a point is drawn by a camera, which may have moved since the scene was made. */
export function scenePixel(
  { grid, size }: Pick<MarkerScene, 'grid' | 'size'>,
  camera: MapCamera,
  point: WorldPoint,
): ScreenPoint {
  const centre = worldPoint(camera)
  // Measured from the scene's centre, so that no point jumps to another copy of the world during a move.
  const middleX = grid.left + grid.width / 2
  const east = nearestTurn(middleX, point.x) - nearestTurn(middleX, centre.x)
  const worldPx = worldSizePx(camera.zoom)
  return {
    xPx: size.widthPx / 2 + east * worldPx,
    yPx: size.heightPx / 2 + (point.y - centre.y) * worldPx,
  }
}

export type Direction = 'left' | 'right' | 'up' | 'down'

const sidewaysWeight = 2

/** The nearest pixel in a direction. Pixels more to the side than ahead do not count. */
export function nextMarker(
  pixels: readonly ScreenPoint[],
  from: ScreenPoint,
  direction: Direction,
): number | undefined {
  let best: number | undefined
  let bestCost = Infinity
  for (const [index, pixel] of pixels.entries()) {
    const xPx = pixel.xPx - from.xPx
    const yPx = pixel.yPx - from.yPx
    const isAcross = direction === 'left' || direction === 'right'
    const aheadPx = (isAcross ? xPx : yPx) * (direction === 'left' || direction === 'up' ? -1 : 1)
    const asidePx = Math.abs(isAcross ? yPx : xPx)
    if (aheadPx <= 0 || asidePx > aheadPx) continue
    const cost = aheadPx + asidePx * sidewaysWeight
    if (cost < bestCost) {
      best = index
      bestCost = cost
    }
  }
  return best
}

/** Refreshed when the map comes to rest, when nodes change, and when a move passes a zoom level. */
export function useMarkerScene(view: MapView | undefined, store: NodeStore) {
  const [scene, setScene] = useState<MarkerScene>()

  useEffect(() => {
    if (view === undefined) return undefined
    let level = Math.floor(view.camera.zoom)
    let frame: number | undefined
    const refresh = () => {
      frame = undefined
      level = Math.floor(view.camera.zoom)
      const next = markerScene(store.columns, view.camera, view.size)
      const alone = next.markers.filter((marker) => nodesOf(marker) === 1)
      view.showAlone(alone.map(({ firstIndex }) => firstIndex))
      setScene(next)
    }
    const refreshSoon = () => {
      frame ??= requestAnimationFrame(refresh)
    }
    refreshSoon()
    const unsubscribeStore = store.subscribe(refreshSoon)
    const unsubscribeView = view.subscribe((isAtRest) => {
      if (isAtRest || Math.floor(view.camera.zoom) !== level) refreshSoon()
    })
    return () => {
      unsubscribeStore()
      unsubscribeView()
      if (frame !== undefined) cancelAnimationFrame(frame)
    }
  }, [view, store])

  return view === undefined ? undefined : scene
}

export const mostMarkers = 500

/** Larger than the 24 pixels that WCAG 2.5.8 requires of a target. */
const markerHeightPx = 28
const nodeWidthPx = 28
const pillPaddingPx = 20
const symbolPx = 16
const gapPx = 4
const digitPx = 7.2

function ofText(total: string): string {
  return t`of ${total}`
}

/** Empty texts for what a group has none of. */
export function shownCounts(marker: MapMarker) {
  const own = ownNodesOf(marker)
  return {
    online: own === 0 ? '' : compactCount(marker.online),
    all: own === 0 ? '' : ofText(compactCount(own)),
    neighbours: marker.neighbours === 0 ? '' : `+${compactCount(marker.neighbours)}`,
  }
}

/** Widths are computed for thousands of markers at a time, which is too often for a message. */
const ofLength = ofText('').length

function markerWidthPx(marker: MapMarker): number {
  if (nodesOf(marker) === 1) return nodeWidthPx
  const own = ownNodesOf(marker)
  const ownLength = own === 0 ? 0 : `${compactCount(marker.online)}${compactCount(own)}`.length
  const { neighbours } = marker
  const neighboursPx =
    neighbours === 0 ? 0 : gapPx + digitPx * (compactCount(neighbours).length + 1)
  const ownPx = own === 0 ? 0 : symbolPx + gapPx + digitPx * (ownLength + ofLength)
  return pillPaddingPx + ownPx + neighboursPx
}

function boxAround({ x, y }: MapMarker, worldPx: number, widthPx: number, heightPx: number): Box {
  return { leftPx: x * worldPx - widthPx / 2, topPx: y * worldPx - heightPx / 2, widthPx, heightPx }
}

const gapXPx = 6
const gapYPx = 12
/** Each pass leaves far fewer overlaps. After these, the rest overlap by a pixel or two. */
const passes = 4

/** Merges overlapping markers into the larger ones, and all beyond `mostMarkers`. No count is lost. */
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
    neighbours: larger.neighbours + smaller.neighbours,
    firstIndex: Math.min(larger.firstIndex, smaller.firstIndex),
    cells: [...larger.cells, ...smaller.cells],
  }
}

const labelHeightPx = 18
const labelGapPx = 12
const labelCharacters = 12
const characterPx = 7

/** The label next to each single node; undefined for groups and if there is no room. */
function markerLabels(columns: NodeColumns, markers: readonly MapMarker[], worldPx: number) {
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
