import type { Towns } from '../../../lib/towns/search-towns.ts'
import {
  type MapCamera,
  mapPixel,
  type WorldPoint,
  worldPoint,
  worldSizePx,
} from '../map/map-camera.ts'
import { mapColors, type MapLand } from '../map/map-style.ts'
import { type Box, firstFree, type Size } from '../geometry/boxes.ts'

export function layOutLand({ land, coasts, borders }: MapLand) {
  return {
    land: pathOf(land.coordinates.flat()),
    coasts: pathOf(coasts.coordinates),
    borders: pathOf(borders.coordinates),
  }
}

function pathOf(lines: readonly GeoJSON.Position[][]): Path2D {
  const path = new Path2D()
  for (const line of lines) {
    for (const [index, [lonDeg = 0, latDeg = 0]] of line.entries()) {
      const { x, y } = worldPoint({ latDeg, lonDeg })
      if (index === 0) path.moveTo(x, y)
      else path.lineTo(x, y)
    }
  }
  return path
}

export function layOutTowns(towns: Towns) {
  const names: string[] = []
  const points = new Float64Array(towns.count * 2)
  for (let index = 0; index < towns.count; index++) {
    const { name, lat, lon } = towns.town(index)
    const { x, y } = worldPoint({ latDeg: lat, lonDeg: lon })
    names.push(name)
    points[index * 2] = x
    points[index * 2 + 1] = y
  }
  return { names, points }
}

interface Drawing {
  readonly land: ReturnType<typeof layOutLand>
  readonly landmarks: ReturnType<typeof layOutTowns> | undefined
  readonly camera: MapCamera
  readonly size: Size
}

/** A higher resolution is not visible, and every pixel costs time. */
const maxPixelRatio = 2
/** How far the land of one copy of the world reaches beyond its edge. Chukotka reaches furthest. */
const overhang = 0.1

/** Draws the world around the camera, with the names of the largest towns that have room. */
export function drawPlaceMap(context: CanvasRenderingContext2D, drawing: Drawing): void {
  const { land, landmarks, camera, size } = drawing
  const pixelRatio = Math.min(window.devicePixelRatio, maxPixelRatio)
  fitCanvas(context.canvas, size, pixelRatio)
  const sizePx = worldSizePx(camera.zoom)
  const centre = worldPoint(camera)
  context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0)
  context.fillStyle = mapColors.water
  context.fillRect(0, 0, size.widthPx, size.heightPx)
  // Neighbouring copies of the world continue the map beyond the antimeridian.
  for (const turn of [-1, 0, 1]) {
    const left = size.widthPx / 2 + (turn - centre.x) * sizePx
    const overhangPx = overhang * sizePx
    if (left - overhangPx > size.widthPx || left + sizePx + overhangPx < 0) continue
    const top = size.heightPx / 2 - centre.y * sizePx
    const scale = sizePx * pixelRatio
    context.setTransform(scale, 0, 0, scale, left * pixelRatio, top * pixelRatio)
    context.lineWidth = 1 / sizePx
    context.fillStyle = mapColors.land
    context.fill(land.land, 'evenodd')
    context.strokeStyle = mapColors.border
    context.stroke(land.borders)
    context.strokeStyle = mapColors.coast
    context.stroke(land.coasts)
  }
  context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0)
  if (landmarks !== undefined) drawLandmarks(context, landmarks, camera, size)
}

function fitCanvas(canvas: HTMLCanvasElement, size: Size, pixelRatio: number): void {
  const widthPx = Math.round(size.widthPx * pixelRatio)
  const heightPx = Math.round(size.heightPx * pixelRatio)
  // Setting either one clears the canvas.
  if (canvas.width !== widthPx) canvas.width = widthPx
  if (canvas.height !== heightPx) canvas.height = heightPx
}

const shownNames = 16
const nameColor = '#94a3b8'
/** Areas without names: around the pin, under the text at the top and the buttons at the bottom left. */
function reservedBoxes({ widthPx, heightPx }: Size): Box[] {
  const [x, y] = [widthPx / 2, heightPx / 2]
  return [
    { leftPx: x - 26, topPx: y - 34, widthPx: 52, heightPx: 42 },
    { leftPx: 0, topPx: 0, widthPx, heightPx: 50 },
    { leftPx: 0, topPx: heightPx - 56, widthPx: 150, heightPx: 56 },
  ]
}

function drawLandmarks(
  context: CanvasRenderingContext2D,
  { names, points }: ReturnType<typeof layOutTowns>,
  camera: MapCamera,
  size: Size,
): void {
  const { widthPx, heightPx } = size
  context.font = '12px "Inter Variable", system-ui, sans-serif'
  context.textBaseline = 'middle'
  context.fillStyle = nameColor
  const taken = reservedBoxes(size)
  const enough = taken.length + shownNames
  for (let index = 0; index < names.length && taken.length < enough; index++) {
    const point: WorldPoint = { x: points[index * 2] ?? 0, y: points[index * 2 + 1] ?? 0 }
    const { xPx, yPx } = mapPixel(camera, size, point)
    if (xPx < 0 || yPx < 8 || xPx > widthPx || yPx > heightPx - 8) continue
    const name = names[index] ?? ''
    const textPx = context.measureText(name).width
    const box = { leftPx: xPx - 4, topPx: yPx - 8, widthPx: textPx + 16, heightPx: 16 }
    if (xPx + textPx + 12 > widthPx || firstFree([box], taken) === undefined) continue
    taken.push(box)
    context.beginPath()
    context.arc(xPx, yPx, 2, 0, 2 * Math.PI)
    context.fill()
    context.fillText(name, xPx + 7, yPx)
  }
}
