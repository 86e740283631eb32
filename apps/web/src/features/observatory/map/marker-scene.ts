import { useEffect, useState } from 'react'
import type { NodeColumns } from '../nodes/node-columns.ts'
import type { NodeStore } from '../nodes/node-store.ts'
import { type MapCamera, type MapPixel, type MapSize, worldSizePx } from './map-camera.ts'
import type { MapView } from './map-view.ts'
import { type CellGrid, cellGrid, countCells, type MapMarker, nodesOf } from './marker-cells.ts'
import { markerLabels, separateMarkers } from './marker-layout.ts'
import { nearestTurn, type WorldPoint, worldPoint } from './mercator.ts'

/** The markers for these nodes and the camera at the time of the last refresh. */
export interface MarkerScene {
  readonly columns: NodeColumns
  readonly camera: MapCamera
  readonly size: MapSize
  readonly grid: CellGrid
  readonly markers: readonly MapMarker[]
  readonly labels: readonly (string | undefined)[]
}

/** With at most this many nodes on screen, labels show at every zoom. */
const fewNodes = 60
const closeZoom = 5

export function markerScene(columns: NodeColumns, camera: MapCamera, size: MapSize): MarkerScene {
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
): MapPixel {
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

/**
 * The index of the nearest pixel in a direction. Pixels that are more to the side than ahead do not count.
 */
export function nextMarker(
  pixels: readonly MapPixel[],
  from: MapPixel,
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

/**
 * The markers for what the map shows. Refreshed when the map comes to rest, when nodes change, and when a
 * move passes a zoom level; at most once per frame.
 */
export function useMarkerScene(
  view: MapView | undefined,
  store: NodeStore,
): MarkerScene | undefined {
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
