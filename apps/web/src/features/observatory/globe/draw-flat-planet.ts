import { drawLandMask, type LandRings, latticeDeg } from './land.ts'
import { radPerDeg, writeUnitVector } from '../geometry/unit-vector.ts'
import type { GlobeScene } from './globe-scene.ts'
import { project } from './projection.ts'
import { regionDeg, regionOutline } from './region.ts'

const fullTurn = 2 * Math.PI
/** The sun's place relative to the planet's centre, in radii. */
const sunX = -0.58
const sunY = -0.49

export function drawFlatPlanet(
  context: CanvasRenderingContext2D,
  scene: GlobeScene,
  dots: Float32Array,
): void {
  const { projection, widthPx, heightPx } = scene
  const { centreXPx: x, centreYPx: y, radiusPx: r } = projection
  const gradient = (atX: number, atY: number, radius: number, stops: Stops) => {
    const filling = context.createRadialGradient(atX, atY, 0, atX, atY, radius)
    for (const [at, color] of Object.entries(stops)) filling.addColorStop(Number(at), color)
    return filling
  }
  const disc = (radius: number) => {
    context.beginPath()
    context.arc(x, y, radius, 0, fullTurn)
  }
  context.fillStyle = '#04050b'
  context.fillRect(0, 0, widthPx, heightPx)
  context.fillStyle = gradient(x + sunX * r * 0.7, y + sunY * r * 0.7, r * 2.2, spaceStops)
  context.fillRect(0, 0, widthPx, heightPx)

  // Off-centre, so that the air is bright on the sun's side and absent on the night side.
  context.fillStyle = gradient(x + sunX * r * 0.3, y + sunY * r * 0.3, r * 1.16, airStops)
  disc(r * 1.4)
  context.fill()
  context.fillStyle = gradient(x + sunX * r * 0.62, y + sunY * r * 0.62, r * 1.75, seaStops)
  disc(r)
  context.fill()

  drawDots(context, scene, dots)
  drawGrid(context, scene)
  fillRegion(context, scene)

  context.fillStyle = gradient(x + sunX * r * 0.75, y + sunY * r * 0.75, r * 1.72, nightStops)
  disc(r)
  context.fill()
  const rim = context.createLinearGradient(x + sunX * r, y + sunY * r, x - sunX * r, y - sunY * r)
  rim.addColorStop(0, 'rgb(165 240 252 / 80%)')
  rim.addColorStop(0.5, 'rgb(34 211 238 / 22%)')
  rim.addColorStop(0.8, 'rgb(34 211 238 / 0%)')
  context.strokeStyle = rim
  context.lineWidth = 1.5
  disc(r - 0.5)
  context.stroke()
}

/** Colours of gradients by their places, from 0 to 1. */
type Stops = Readonly<Record<number, string>>

const spaceStops: Stops = { 0: 'rgb(12 42 62 / 60%)', 1: 'rgb(5 8 15 / 0%)' }
const airStops: Stops = {
  0.6: 'rgb(34 211 238 / 46%)',
  0.8: 'rgb(34 211 238 / 16%)',
  0.9: 'rgb(34 211 238 / 5%)',
  1: 'rgb(34 211 238 / 0%)',
}
const seaStops: Stops = { 0: '#0d324e', 0.5: '#091e36', 1: '#04070f' }
const nightStops: Stops = {
  0.3: 'rgb(4 5 11 / 0%)',
  0.65: 'rgb(4 5 11 / 42%)',
  1: 'rgb(4 5 11 / 92%)',
}

function drawDots(
  context: CanvasRenderingContext2D,
  { projection, landShare }: GlobeScene,
  dots: Float32Array,
) {
  const { axes, centreXPx, centreYPx, radiusPx } = projection
  const [rx = 0, ry = 0, rz = 0, ux = 0, uy = 0, uz = 0, fx = 0, fy = 0, fz = 0] = axes
  const size = Math.max(0.8, radiusPx * latticeDeg * radPerDeg * 0.56)
  context.globalAlpha = 0.78 * landShare
  context.fillStyle = '#5d9fbb'
  for (let at = 0; at < dots.length; at += 3) {
    const x = dots[at] ?? 0
    const y = dots[at + 1] ?? 0
    const z = dots[at + 2] ?? 0
    const front = fx * x + fy * y + fz * z
    if (front < 0.05) continue
    const side = size * (0.45 + 0.55 * front)
    context.fillRect(
      centreXPx + radiusPx * (rx * x + ry * y + rz * z) - side / 2,
      centreYPx - radiusPx * (ux * x + uy * y + uz * z) - side / 2,
      side,
      side,
    )
  }
  context.globalAlpha = 1
}

function drawGrid(context: CanvasRenderingContext2D, scene: GlobeScene) {
  const stepDeg = 3
  context.beginPath()
  for (let lonDeg = -180; lonDeg < 180; lonDeg += regionDeg) {
    tracePath(context, scene, 180 / stepDeg, (i) => ({ latDeg: i * stepDeg - 90, lonDeg }))
  }
  for (let latDeg = -60; latDeg <= 60; latDeg += regionDeg) {
    tracePath(context, scene, 360 / stepDeg, (i) => ({ latDeg, lonDeg: i * stepDeg - 180 }))
  }
  context.lineWidth = 1
  context.strokeStyle = 'rgb(125 200 225 / 14%)'
  context.stroke()
}

function tracePath(
  context: CanvasRenderingContext2D,
  { projection }: GlobeScene,
  pieces: number,
  placeAt: (i: number) => { latDeg: number; lonDeg: number },
) {
  let isDown = false
  for (let i = 0; i <= pieces; i++) {
    const point = project(projection, placeAt(i))
    if (point === undefined) isDown = false
    else if (isDown) context.lineTo(point.xPx, point.yPx)
    else {
      context.moveTo(point.xPx, point.yPx)
      isDown = true
    }
  }
}

/** Fills the visible part of the region. The planet's rim cuts it off with a straight line. */
function fillRegion(context: CanvasRenderingContext2D, { projection, region }: GlobeScene) {
  if (region === undefined) return
  context.beginPath()
  for (const place of regionOutline(region, 2.5)) {
    const point = project(projection, place)
    if (point !== undefined) context.lineTo(point.xPx, point.yPx)
  }
  context.fillStyle = 'rgb(34 211 238 / 15%)'
  context.fill()
}

/** The shader's lattice as unit vectors: rows along the latitudes, every other one half a step off. */
export function dotLattice(isLand: (latRad: number, lonRad: number) => boolean) {
  const step = latticeDeg * radPerDeg
  const rows = Math.round(90 / latticeDeg)
  const dots: number[] = []
  for (let row = -rows; row < rows; row++) {
    const lat = (row + 0.5) * step
    const inRow = Math.max(1, Math.floor((2 * Math.PI * Math.cos(lat)) / step))
    const shift = row % 2 === 0 ? 0 : 0.5
    for (let i = 0; i < inRow; i++) {
      const lon = ((i + 0.5 - shift) / inRow) * 2 * Math.PI - Math.PI
      if (!isLand(lat, lon)) continue
      writeUnitVector(dots, dots.length, lat / radPerDeg, lon / radPerDeg)
    }
  }
  return Float32Array.from(dots)
}

const maskWidthPx = 720
const maskHeightPx = maskWidthPx / 2
const bytesPerPixel = 4
const half = 128

export function landDots(rings: LandRings): Float32Array<ArrayBuffer> {
  const mask = drawLandMask(rings, maskWidthPx).getContext('2d')
  if (mask === null) return new Float32Array(0)
  const { data } = mask.getImageData(0, 0, maskWidthPx, maskHeightPx)
  return dotLattice((latRad, lonRad) => {
    const x = Math.floor((lonRad / (2 * Math.PI) + 0.5) * maskWidthPx) % maskWidthPx
    const y = Math.min(maskHeightPx - 1, Math.floor((0.5 - latRad / Math.PI) * maskHeightPx))
    return (data[(y * maskWidthPx + x) * bytesPerPixel] ?? 0) >= half
  })
}
