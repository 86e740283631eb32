import type { Place } from '../geometry/unit-vector.ts'
import { type NodeColumns, noNodes } from '../nodes/node-columns.ts'
import type { Sight } from '../selection.ts'
import type { Size } from '../geometry/boxes.ts'
import type { ScreenPoint } from '../../../lib/pointers.ts'

/** Zoom as in the maps service: at 0 the world is one tile of 256 pixels, and each step doubles it. */
export interface MapCamera extends Place {
  readonly zoom: number
}

export const minZoom = 2
/** About 300 m a pixel at the equator. Nodes in one town separate, and the coastline has no more detail. */
export const maxZoom = 9
const tilePx = 256

export function worldSizePx(zoom: number): number {
  return tilePx * 2 ** zoom
}

/** In pixels from the map's top left corner, on the copy of the world nearest to the centre. */
export function mapPixel(camera: MapCamera, size: Size, point: WorldPoint): ScreenPoint {
  const centre = worldPoint(camera)
  const sizePx = worldSizePx(camera.zoom)
  return {
    xPx: size.widthPx / 2 + nearestTurn(centre.x, point.x) * sizePx,
    yPx: size.heightPx / 2 + (point.y - centre.y) * sizePx,
  }
}

export function pannedBy(camera: MapCamera, size: Size, xPx: number, yPx: number): MapCamera {
  const centre = worldPoint(camera)
  const sizePx = worldSizePx(camera.zoom)
  const marginY = Math.min(0.5, size.heightPx / 2 / sizePx)
  const y = Math.max(marginY, Math.min(1 - marginY, centre.y + yPx / sizePx))
  return { ...placeAt({ x: centre.x + xPx / sizePx, y }), zoom: camera.zoom }
}

export function clampedZoom(zoom: number): number {
  return Math.max(minZoom, Math.min(maxZoom, zoom))
}

const stripDeg = 5
const stripCount = 360 / stripDeg

/** The world fills the width without showing twice. A narrow map shows the part with most nodes. */
export function wholeWorld(size: Size, lonDeg: Float64Array = noNodes.lonDeg): MapCamera {
  const zoom = clampedZoom(Math.log2(size.widthPx / tilePx))
  const shownStrips = Math.floor((size.widthPx / worldSizePx(zoom)) * stripCount)
  return { latDeg: 20, lonDeg: mostNodesLon(lonDeg, shownStrips), zoom }
}

/** The middle of the window of strips that has the most nodes. Strips near its edges count half. */
function mostNodesLon(lonDeg: Float64Array, shownStrips: number): number {
  const greenwich = stripCount / 2
  if (shownStrips >= stripCount) return 0
  const strips = new Uint32Array(stripCount)
  for (const lon of lonDeg) {
    const strip = Math.floor((lon + 180) / stripDeg) % stripCount
    strips[strip] = (strips[strip] ?? 0) + 1
  }
  const half = Math.floor(shownStrips / 2)
  const weightAround = (middle: number) => {
    let weight = 0
    for (let steps = -half; steps <= half; steps += 1) {
      const nodes = strips[(middle + steps + stripCount) % stripCount] ?? 0
      weight += Math.abs(steps) < 0.75 * half ? nodes : nodes / 2
    }
    return weight
  }
  // From Greenwich outwards, so that in a tie the one nearer to Greenwich wins.
  let best = greenwich
  for (let steps = 1; steps < greenwich; steps += 1) {
    for (const strip of [greenwich + steps, greenwich - steps]) {
      if (weightAround(strip) > weightAround(best)) best = strip
    }
  }
  return (best - greenwich) * stripDeg
}

export function cameraOnSight({ latDeg, lonDeg, spanDeg }: Sight, size: Size): MapCamera {
  const shortSidePx = Math.min(size.widthPx, size.heightPx)
  const zoom = Math.log2((shortSidePx / tilePx) * (360 / spanDeg))
  return { latDeg, lonDeg, zoom: clampedZoom(zoom) }
}

/** The latitude at which web maps cut off their square world. */
export const maxLatDeg = 85.051129

/** A place on the square world of web maps: 0 to 1 from west to east and from north to south. */
export interface WorldPoint {
  readonly x: number
  readonly y: number
}

export function worldPoint({ latDeg, lonDeg }: Place): WorldPoint {
  return { x: worldX(lonDeg), y: worldY(latDeg) }
}

function worldX(lonDeg: number): number {
  return (lonDeg + 180) / 360
}

function worldY(latDeg: number): number {
  const lat = (Math.max(-maxLatDeg, Math.min(maxLatDeg, latDeg)) * Math.PI) / 180
  return 0.5 - Math.log(Math.tan(Math.PI / 4 + lat / 2)) / (2 * Math.PI)
}

/** The longitude is normalised to -180 to 180 on any copy of the world. */
export function placeAt({ x, y }: WorldPoint): Place {
  const lat = 2 * Math.atan(Math.exp((0.5 - y) * 2 * Math.PI)) - Math.PI / 2
  return { latDeg: (lat * 180) / Math.PI, lonDeg: (x - Math.floor(x)) * 360 - 180 }
}

/** The eastward distance from one x to another, the shorter way round: -0.5 to 0.5. */
export function nearestTurn(fromX: number, toX: number): number {
  const turn = toX - fromX
  return turn - Math.round(turn)
}

const cachedPositions = new WeakMap<NodeColumns, Float32Array<ArrayBuffer>>()

/** Computed once per list of nodes (8 ms for 100,000). 32 bits are precise to 1/100 of a pixel. */
export function worldPositions(columns: NodeColumns): Float32Array<ArrayBuffer> {
  let positions = cachedPositions.get(columns)
  if (positions === undefined) {
    positions = new Float32Array(columns.count * 2)
    for (let index = 0; index < columns.count; index++) {
      positions[index * 2] = worldX(columns.lonDeg[index] ?? 0)
      positions[index * 2 + 1] = worldY(columns.latDeg[index] ?? 0)
    }
    cachedPositions.set(columns, positions)
  }
  return positions
}
