import type { IslandKind } from '@astropelago/contract/islands'
import { type ChartCamera, type Size, toScreen } from './chart-camera.ts'
import type { ChartIsland } from './chart-islands.ts'

/** The tokens of the same names; a canvas can't read those. */
const colors = {
  ground: '#05070f',
  ink: '#e8edf7',
  muted: '#94a3b8',
  offline: '#64748b',
  island: '#a78bfa',
  accent: '#22d3ee',
  line: 'rgb(148 163 184 / 9%)',
  route: 'rgb(148 163 184 / 30%)',
  chosenRoute: 'rgb(167 139 250 / 85%)',
  halo: 'rgb(167 139 250 / 18%)',
} as const

const labelFont = "500 12px 'Inter Variable', system-ui, sans-serif"
const labelHeightPx = 16
/** Around a name: closer ones would be read as one. */
const labelMarginPx = 8
/** The circles of the graticule, in units of the chart. */
const graticuleStep = 160
const graticuleCircles = 8

export interface ChartPicture {
  readonly islands: readonly ChartIsland[]
  /** x and y of each island. */
  readonly positions: Float32Array
  readonly camera: ChartCamera
  readonly size: Size
  readonly selected: number | undefined
  readonly hovered: number | undefined
  readonly hasFocus: boolean
}

type Drawing = CanvasRenderingContext2D

/** A whole frame. */
export function drawChart(drawing: Drawing, picture: ChartPicture): void {
  const { size } = picture
  drawing.clearRect(0, 0, size.widthPx, size.heightPx)
  drawGraticule(drawing, picture)
  drawRoutes(drawing, picture)
  for (let at = 0; at < picture.islands.length; at += 1) drawIsland(drawing, picture, at)
  drawLabels(drawing, picture)
}

/** Of the mark; islands with many routes are larger. */
function markRadiusPx({ neighbours }: ChartIsland, { scale }: ChartCamera): number {
  const nearness = Math.min(1.6, Math.max(0.75, scale ** 0.5))
  return (4.5 + 1.4 * Math.sqrt(Math.min(neighbours.length, 16))) * nearness
}

function screenOf({ positions, camera, size }: ChartPicture, at: number) {
  return toScreen(camera, size, positions[2 * at] ?? 0, positions[2 * at + 1] ?? 0)
}

function drawGraticule(drawing: Drawing, { camera, size }: ChartPicture): void {
  const { xPx, yPx } = toScreen(camera, size, 0, 0)
  drawing.strokeStyle = colors.line
  drawing.lineWidth = 1
  drawing.beginPath()
  for (let circle = 1; circle <= graticuleCircles; circle += 1) {
    const radiusPx = circle * graticuleStep * camera.scale
    drawing.moveTo(xPx + radiusPx, yPx)
    drawing.arc(xPx, yPx, radiusPx, 0, 2 * Math.PI)
  }
  drawing.moveTo(0, yPx)
  drawing.lineTo(size.widthPx, yPx)
  drawing.moveTo(xPx, 0)
  drawing.lineTo(xPx, size.heightPx)
  drawing.stroke()
}

/** In two strokes, whatever their number: those of the chosen island over all others. */
function drawRoutes(drawing: Drawing, picture: ChartPicture): void {
  const chosen = picture.selected ?? picture.hovered
  const stroke = (isChosen: boolean) => {
    drawing.beginPath()
    for (const [at, { neighbours }] of picture.islands.entries()) {
      const from = screenOf(picture, at)
      for (const other of neighbours) {
        if (other < at || (at === chosen || other === chosen) !== isChosen) continue
        const to = screenOf(picture, other)
        drawing.moveTo(from.xPx, from.yPx)
        drawing.lineTo(to.xPx, to.yPx)
      }
    }
    drawing.stroke()
  }
  drawing.strokeStyle = colors.route
  drawing.lineWidth = 1
  stroke(false)
  if (chosen === undefined) return
  drawing.strokeStyle = colors.chosenRoute
  drawing.lineWidth = 1.5
  stroke(true)
}

/** Open islands are full and shine, closed ones are rings; each kind has a shape. */
function drawIsland(drawing: Drawing, picture: ChartPicture, at: number): void {
  const island = picture.islands[at]
  if (island === undefined) return
  const { xPx, yPx } = screenOf(picture, at)
  const radiusPx = markRadiusPx(island, picture.camera)
  const { isOpen, kind } = island.card
  if (isOpen) {
    drawing.fillStyle = colors.halo
    drawing.beginPath()
    drawing.arc(xPx, yPx, radiusPx * 2.1, 0, 2 * Math.PI)
    drawing.fill()
  }
  drawing.beginPath()
  traceMark(drawing, kind, xPx, yPx, radiusPx)
  drawing.fillStyle = isOpen ? colors.island : colors.ground
  drawing.fill()
  drawing.strokeStyle = isOpen ? colors.island : colors.muted
  drawing.lineWidth = 1.5
  drawing.stroke()
  if (at !== picture.selected && at !== picture.hovered) return
  drawing.beginPath()
  drawing.arc(xPx, yPx, radiusPx + 6, 0, 2 * Math.PI)
  drawing.strokeStyle = at === picture.selected ? colors.accent : colors.muted
  drawing.lineWidth = at === picture.selected && picture.hasFocus ? 2.5 : 1.5
  drawing.stroke()
}

function traceMark(drawing: Drawing, kind: IslandKind, xPx: number, yPx: number, radiusPx: number) {
  if (kind === 'social') {
    drawing.arc(xPx, yPx, radiusPx, 0, 2 * Math.PI)
    return
  }
  // A square on its corner, or a triangle on its base; as large as the circle looks.
  const corners = kind === 'media' ? 4 : 3
  const reachPx = radiusPx * (kind === 'media' ? 1.2 : 1.35)
  for (let corner = 0; corner < corners; corner += 1) {
    const angle = (2 * Math.PI * corner) / corners - Math.PI / 2
    drawing.lineTo(xPx + reachPx * Math.cos(angle), yPx + reachPx * Math.sin(angle))
  }
  drawing.closePath()
}

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Names where there is room: the chosen island's and its neighbours' first, then those with most routes. */
function drawLabels(drawing: Drawing, picture: ChartPicture): void {
  const { islands, size, camera } = picture
  drawing.font = labelFont
  drawing.textAlign = 'center'
  drawing.textBaseline = 'top'
  drawing.lineJoin = 'round'
  drawing.strokeStyle = colors.ground
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
    drawing.fillStyle = isChosen || isOpen ? colors.ink : colors.muted
    drawing.fillText(name, xPx, top)
  }
}

function* labelOrder({ islands, selected, hovered }: ChartPicture): Generator<number> {
  const first = new Set<number>()
  for (const at of [selected, hovered]) if (at !== undefined) first.add(at)
  for (const at of islands[selected ?? -1]?.neighbours ?? []) first.add(at)
  yield* first
  // The server sends those with the most routes first.
  for (let at = 0; at < islands.length; at += 1) if (!first.has(at)) yield at
}

const widths = new Map<string, number>()

/** Measuring takes longer than all else of a frame: each name is measured once. */
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
