import type { IslandKind } from '@astropelago/contract/islands'
import { neighbourColor } from '../../../neighbours/neighbour-colours.ts'
import { type ChartCamera, type Size, toScreen } from './chart-camera.ts'
import type { ChartIsland } from './chart-islands.ts'

/** Copies of the tokens of the same names, which a canvas can't read. */
const chartColors = {
  ground: '#05070f',
  ink: '#e8edf7',
  muted: '#94a3b8',
  island: '#a78bfa',
  accent: '#22d3ee',
  line: 'rgb(148 163 184 / 9%)',
  route: 'rgb(148 163 184 / 30%)',
  chosenRoute: 'rgb(167 139 250 / 85%)',
  halo: 'rgb(167 139 250 / 18%)',
} as const

interface MarkSprite {
  readonly image: OffscreenCanvas
  /** In CSS pixels. The mark is in the centre. */
  readonly sidePx: number
}

/** Finer steps make no visible difference, and would need new sprites in every frame of a zoom. */
const radiusStepPx = 0.5
const haloRadii = 2.1
const lineWidthPx = 1.5
const gapPx = 1

/** Caches marks until the pixel ratio changes. */
export class MarkSprites {
  readonly #sprites = new Map<string, MarkSprite>()
  #pixelRatio = 0

  read(kind: IslandKind, isOpen: boolean, radiusPx: number, pixelRatio: number): MarkSprite {
    if (pixelRatio !== this.#pixelRatio) this.#sprites.clear()
    this.#pixelRatio = pixelRatio
    const steps = Math.round(radiusPx / radiusStepPx)
    const look = `${kind} ${isOpen} ${steps}`
    let sprite = this.#sprites.get(look)
    if (sprite === undefined) {
      sprite = drawMark(kind, isOpen, steps * radiusStepPx, pixelRatio)
      this.#sprites.set(look, sprite)
    }
    return sprite
  }
}

/** Open islands are filled and glow, closed ones are rings. Each kind has its own shape. */
function drawMark(
  kind: IslandKind,
  isOpen: boolean,
  radiusPx: number,
  pixelRatio: number,
): MarkSprite {
  const pixels = Math.ceil(2 * (radiusPx * haloRadii + gapPx) * pixelRatio)
  const sidePx = pixels / pixelRatio
  const image = new OffscreenCanvas(pixels, pixels)
  const drawing = image.getContext('2d')
  if (drawing === null) throw new Error('This browser draws no 2D pictures')
  drawing.scale(pixelRatio, pixelRatio)
  drawing.translate(sidePx / 2, sidePx / 2)
  if (isOpen) {
    drawing.fillStyle = chartColors.halo
    drawing.beginPath()
    drawing.arc(0, 0, radiusPx * haloRadii, 0, 2 * Math.PI)
    drawing.fill()
  }
  drawing.beginPath()
  traceMark(drawing, kind, radiusPx)
  drawing.fillStyle = isOpen ? chartColors.island : chartColors.ground
  drawing.fill()
  drawing.strokeStyle = isOpen ? chartColors.island : chartColors.muted
  drawing.lineWidth = lineWidthPx
  drawing.stroke()
  return { image, sidePx }
}

function traceMark(
  drawing: OffscreenCanvasRenderingContext2D,
  kind: IslandKind,
  radiusPx: number,
): void {
  if (kind === 'social') {
    drawing.arc(0, 0, radiusPx, 0, 2 * Math.PI)
    return
  }
  // A square on its corner or a triangle on its base, scaled to look as large as the circle.
  const corners = kind === 'media' ? 4 : 3
  const reachPx = radiusPx * (kind === 'media' ? 1.2 : 1.35)
  for (let corner = 0; corner < corners; corner += 1) {
    const angle = (2 * Math.PI * corner) / corners - Math.PI / 2
    drawing.lineTo(reachPx * Math.cos(angle), reachPx * Math.sin(angle))
  }
  drawing.closePath()
}

const labelFont = "500 12px 'Inter Variable', system-ui, sans-serif"
const labelHeightPx = 16
/** Space around a name. Closer names would read as one. */
const labelMarginPx = 8
/** Distance between the graticule's circles, in chart units. */
const graticuleStep = 160
const graticuleCircles = 8

export interface ChartPicture {
  readonly islands: readonly ChartIsland[]
  /** The x and y of each island. */
  readonly positions: Float32Array
  readonly camera: ChartCamera
  readonly size: Size
  /** Canvas pixels per CSS pixel. */
  readonly pixelRatio: number
  readonly selected: number | undefined
  readonly hovered: number | undefined
  readonly hasFocus: boolean
}

type Drawing = CanvasRenderingContext2D

export function drawChart(drawing: Drawing, picture: ChartPicture): void {
  const { size } = picture
  drawing.clearRect(0, 0, size.widthPx, size.heightPx)
  drawGraticule(drawing, picture)
  drawRoutes(drawing, picture)
  for (let at = 0; at < picture.islands.length; at += 1) drawIsland(drawing, picture, at)
  drawLabels(drawing, picture)
}

/** Islands with many routes are larger. */
function markRadiusPx({ neighbours }: ChartIsland, { scale }: ChartCamera): number {
  const nearness = Math.min(1.6, Math.max(0.75, scale ** 0.5))
  return (4.5 + 1.4 * Math.sqrt(Math.min(neighbours.length, 16))) * nearness
}

function screenOf({ positions, camera, size }: ChartPicture, at: number) {
  return toScreen(camera, size, positions[2 * at] ?? 0, positions[2 * at + 1] ?? 0)
}

function drawGraticule(drawing: Drawing, { camera, size }: ChartPicture): void {
  const { xPx, yPx } = toScreen(camera, size, 0, 0)
  drawing.strokeStyle = chartColors.line
  drawing.lineWidth = 1
  for (let circle = 1; circle <= graticuleCircles; circle += 1) {
    drawing.beginPath()
    drawing.arc(xPx, yPx, circle * graticuleStep * camera.scale, 0, 2 * Math.PI)
    drawing.stroke()
  }
  strokeLine(drawing, 0, yPx, size.widthPx, yPx)
  strokeLine(drawing, xPx, 0, xPx, size.heightPx)
}

/** One path for all lines and circles takes Chromium twice as long without a graphics card. */
function strokeLine(drawing: Drawing, fromX: number, fromY: number, toX: number, toY: number) {
  drawing.beginPath()
  drawing.moveTo(fromX, fromY)
  drawing.lineTo(toX, toY)
  drawing.stroke()
}

function drawRoutes(drawing: Drawing, picture: ChartPicture): void {
  const chosen = picture.selected ?? picture.hovered
  const strokeRoutes = (isChosen: boolean) => {
    for (const [at, { neighbours }] of picture.islands.entries()) {
      const from = screenOf(picture, at)
      for (const other of neighbours) {
        if (other < at || (at === chosen || other === chosen) !== isChosen) continue
        const to = screenOf(picture, other)
        strokeLine(drawing, from.xPx, from.yPx, to.xPx, to.yPx)
      }
    }
  }
  drawing.strokeStyle = chartColors.route
  drawing.lineWidth = 1
  strokeRoutes(false)
  if (chosen === undefined) return
  drawing.strokeStyle = chartColors.chosenRoute
  drawing.lineWidth = 1.5
  strokeRoutes(true)
}

const sprites = new MarkSprites()

function drawIsland(drawing: Drawing, picture: ChartPicture, at: number): void {
  const island = picture.islands[at]
  if (island === undefined) return
  const { xPx, yPx } = screenOf(picture, at)
  const radiusPx = markRadiusPx(island, picture.camera)
  const { kind, isOpen } = island.card
  const { pixelRatio } = picture
  const { image, sidePx } = sprites.read(kind, isOpen, radiusPx, pixelRatio)
  // Aligns to whole pixels, because a copy between two pixels would have to be blended.
  const snap = (px: number) => Math.round((px - sidePx / 2) * pixelRatio) / pixelRatio
  drawing.drawImage(image, snap(xPx), snap(yPx), sidePx, sidePx)
  if (island.home !== undefined) {
    drawing.beginPath()
    drawing.arc(xPx, yPx, radiusPx + 3.5, 0, 2 * Math.PI)
    drawing.strokeStyle = neighbourColor(island.home.neighbour.colour)
    drawing.lineWidth = 1.5
    drawing.stroke()
  }
  if (at !== picture.selected && at !== picture.hovered) return
  drawing.beginPath()
  drawing.arc(xPx, yPx, radiusPx + 6, 0, 2 * Math.PI)
  drawing.strokeStyle = at === picture.selected ? chartColors.accent : chartColors.muted
  drawing.lineWidth = at === picture.selected && picture.hasFocus ? 2.5 : 1.5
  drawing.stroke()
}

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Draws names where there is room: the selected island and its neighbours come first. */
function drawLabels(drawing: Drawing, picture: ChartPicture): void {
  const { islands, size, camera } = picture
  drawing.font = labelFont
  drawing.textAlign = 'center'
  drawing.textBaseline = 'top'
  drawing.lineJoin = 'round'
  drawing.strokeStyle = chartColors.ground
  drawing.lineWidth = 3
  const taken: Box[] = []
  for (const at of labelOrder(picture)) {
    const island = islands[at]
    if (island === undefined) continue
    const { xPx, yPx } = screenOf(picture, at)
    if (xPx < 0 || yPx < 0 || xPx > size.widthPx || yPx > size.heightPx) continue
    const { name, isOpen } = island.card
    const halfPx = labelWidthPx(drawing, name) / 2 + labelMarginPx
    const top = yPx + markRadiusPx(island, camera) + 5
    const bottom = top + labelHeightPx + labelMarginPx
    const box = { left: xPx - halfPx, right: xPx + halfPx, top, bottom }
    const isChosen = at === picture.selected || at === picture.hovered
    if (!isChosen && taken.some((other) => isOverlapping(box, other))) continue
    taken.push(box)
    drawing.strokeText(name, xPx, top)
    drawing.fillStyle = isChosen || isOpen ? chartColors.ink : chartColors.muted
    drawing.fillText(name, xPx, top)
  }
}

function* labelOrder({ islands, selected, hovered }: ChartPicture): Generator<number> {
  const first = new Set<number>()
  for (const at of [selected, hovered]) if (at !== undefined) first.add(at)
  for (const at of islands[selected ?? -1]?.neighbours ?? []) first.add(at)
  yield* first
  // The server sends the islands with the most routes first.
  for (let at = 0; at < islands.length; at += 1) if (!first.has(at)) yield at
}

const widths = new Map<string, number>()

/** Measuring takes longer than the rest of a frame, so each name is measured once. */
function labelWidthPx(drawing: Drawing, name: string): number {
  let widthPx = widths.get(name)
  if (widthPx === undefined) {
    widthPx = drawing.measureText(name).width
    widths.set(name, widthPx)
  }
  return widthPx
}

function isOverlapping(one: Box, other: Box): boolean {
  return (
    one.left < other.right &&
    other.left < one.right &&
    one.top < other.bottom &&
    other.top < one.bottom
  )
}
