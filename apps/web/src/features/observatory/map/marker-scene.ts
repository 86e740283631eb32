import { type NodeColumns, textAt } from '../nodes/node-columns.ts'
import { type CellGrid, cellGrid } from './cell-grid.ts'
import { countCells } from './count-cells.ts'
import { type MapCamera, type MapPixel, type MapSize, worldSizePx } from './map-camera.ts'
import { mapLabel } from './map-label.ts'
import { type MapMarker, nodesOf } from './map-marker.ts'
import { markerHeightPx, markerWidthPx } from './marker-size.ts'
import { nearestTurn, type WorldPoint, worldPoint } from './mercator.ts'
import { type Box, placeLabels } from './place-labels.ts'
import { separateMarkers } from './separate-markers.ts'
import { worldPositions } from './world-positions.ts'

/** The markers of one moment: of these nodes, as this camera saw them when it was at rest. */
export interface MarkerScene {
  readonly columns: NodeColumns
  readonly camera: MapCamera
  readonly size: MapSize
  readonly grid: CellGrid
  readonly markers: readonly MapMarker[]
  /** The text beside each marker; undefined where there is no room or several nodes are meant. */
  readonly labels: readonly (string | undefined)[]
}

/** With fewer nodes than this on the screen they bear their labels at any zoom. */
const fewNodes = 60
const closeZoom = 5

const labelHeightPx = 18
const labelGapPx = 12
const characterPx = 7

export function markerScene(columns: NodeColumns, camera: MapCamera, size: MapSize): MarkerScene {
  const grid = cellGrid(camera, size)
  const counted = countCells(worldPositions(columns), columns.status, grid)
  const markers = separateMarkers(counted, worldSizePx(camera.zoom))
  const scene = { columns, camera, size, grid, markers }
  return { ...scene, labels: sceneLabels(scene) }
}

/** Where a place is drawn by a camera, which may have moved on since the scene was made. */
export function scenePixel(
  { grid, size }: Pick<MarkerScene, 'grid' | 'size'>,
  camera: MapCamera,
  point: WorldPoint,
): MapPixel {
  const centre = worldPoint(camera.latDeg, camera.lonDeg)
  // Measured from the scene's middle, so that no place jumps to another copy of the world on the way.
  const middleX = grid.left + grid.width / 2
  const east = nearestTurn(middleX, point.x) - nearestTurn(middleX, centre.x)
  const worldPx = worldSizePx(camera.zoom)
  return {
    xPx: size.widthPx / 2 + east * worldPx,
    yPx: size.heightPx / 2 + (point.y - centre.y) * worldPx,
  }
}

function sceneLabels(scene: Omit<MarkerScene, 'labels'>): (string | undefined)[] {
  const { columns, camera, markers } = scene
  const nodes = markers.reduce((sum, marker) => sum + nodesOf(marker), 0)
  const labels: (string | undefined)[] = markers.map(() => undefined)
  if (nodes > fewNodes && camera.zoom < closeZoom) return labels

  const candidates = [...markers.entries()]
    .filter(([, marker]) => nodesOf(marker) === 1)
    .toSorted(([, one], [, other]) => other.online - one.online)
    .map(([place, marker]) => ({ place, marker, text: nodeLabel(columns, marker.firstIndex) }))
  const boxes = candidates.map(({ marker, text }): Box => {
    const { xPx, yPx } = scenePixel(scene, camera, marker)
    return {
      leftPx: xPx + labelGapPx,
      topPx: yPx - labelHeightPx / 2,
      widthPx: text.length * characterPx,
      heightPx: labelHeightPx,
    }
  })
  const markerBoxes = markers.map((marker): Box => {
    const { xPx, yPx } = scenePixel(scene, camera, marker)
    const isNode = nodesOf(marker) === 1
    // Of a lone node only its mark must stay free, not all that can be pressed.
    const widthPx = isNode ? labelGapPx : markerWidthPx(marker)
    const heightPx = isNode ? labelGapPx : markerHeightPx
    return { leftPx: xPx - widthPx / 2, topPx: yPx - heightPx / 2, widthPx, heightPx }
  })
  for (const [index, isPlaced] of placeLabels(boxes, markerBoxes).entries()) {
    const candidate = candidates[index]
    if (isPlaced && candidate !== undefined) labels[candidate.place] = candidate.text
  }
  return labels
}

function nodeLabel(columns: NodeColumns, index: number): string {
  return mapLabel(textAt(columns.labels, index), textAt(columns.ids, index))
}

/** The node's own name in full, for those who have room for it or hear it. */
export function nodeName(columns: NodeColumns, index: number): string {
  return textAt(columns.labels, index) || textAt(columns.ids, index).slice(0, 8)
}
