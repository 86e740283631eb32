import { type NodeColumns, noNodes, statusCodes } from '../nodes/node-columns.ts'
import {
  type GlobeRenderer,
  type GlobeScene,
  glyphFont,
  glyphs,
  glyphSquare,
  numbersPerStroke,
  shareColors,
  shareGroundAlpha,
  strokeKinds,
  type Strokes,
} from './globe-scene.ts'
import { neighbourColor } from '../../../neighbours/neighbour-colours.ts'
import { drawFlatPlanet, landDots } from './draw-flat-planet.ts'
import {
  leastShapedRadiusPx,
  type MarkStyle,
  shownCode,
  statusColors,
} from '../drawing/node-style.ts'

export function createCanvas2dRenderer(context: CanvasRenderingContext2D): GlobeRenderer {
  let columns: NodeColumns = noNodes
  let groupOf: Uint32Array | undefined
  let dots = new Float32Array(0)
  return {
    setNodes(next) {
      columns = next
      groupOf = undefined
    },
    setStatuses(next) {
      columns = next
    },
    setGroups(_columns, next) {
      groupOf = next
    },
    setLand(rings) {
      dots = landDots(rings)
    },
    draw(scene) {
      context.setTransform(scene.pixelRatio, 0, 0, scene.pixelRatio, 0, 0)
      drawFlatPlanet(context, scene, dots)
      drawFlatNodes(context, scene, columns, groupOf)
      drawFlatStrokes(context, scene.strokes)
    },
    dispose() {
      dots = new Float32Array(0)
    },
  }
}

const fullTurn = 2 * Math.PI

function drawFlatStrokes(context: CanvasRenderingContext2D, { numbers, count }: Strokes): void {
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  for (let i = 0; i < count; i++) {
    const at = i * numbersPerStroke
    const [ax = 0, ay = 0, bx = 0, by = 0, radius = 0, soft = 0, kind, alpha = 0, ...rest] =
      numbers.subarray(at, at + numbersPerStroke)
    const [red = 0, green = 0, blue = 0] = rest.map((part) => Math.round(part * 255))
    const detail = rest[3] ?? 0
    const tinted = (share: number) => `rgb(${red} ${green} ${blue} / ${alpha * share})`
    context.beginPath()
    if (kind === strokeKinds.line) {
      context.moveTo(ax, ay)
      context.lineTo(bx, by)
      context.lineWidth = radius * 2
      context.strokeStyle = tinted(1)
      context.stroke()
    } else if (kind === strokeKinds.glyph) {
      context.font = glyphFont.replace('1px', `${(radius * 2) / glyphSquare}px`)
      context.fillStyle = tinted(1)
      context.fillText(glyphs[detail] ?? '', ax, ay)
    } else if (kind === strokeKinds.share) {
      const ring = (turn: number, color: string) => {
        context.beginPath()
        context.arc(ax, ay, radius, -fullTurn / 4, (turn - 1 / 4) * fullTurn)
        context.strokeStyle = color
        context.stroke()
      }
      context.lineWidth = soft * 2
      context.globalAlpha = alpha * shareGroundAlpha
      context.fillStyle = shareColors.ground
      context.arc(ax, ay, radius, 0, fullTurn)
      context.fill()
      context.globalAlpha = alpha
      ring(1, shareColors.rest)
      ring(detail, `rgb(${red} ${green} ${blue})`)
      context.globalAlpha = 1
    } else if (kind === strokeKinds.ring) {
      context.arc(ax, ay, radius, 0, fullTurn)
      context.lineWidth = soft * 2
      context.strokeStyle = tinted(1)
      context.stroke()
    } else {
      if (soft > 0) {
        const halo = context.createRadialGradient(ax, ay, radius, ax, ay, radius + soft)
        halo.addColorStop(0, tinted(0.4))
        halo.addColorStop(0.4, tinted(0.09))
        halo.addColorStop(1, tinted(0))
        context.arc(ax, ay, radius + soft, 0, fullTurn)
        context.fillStyle = halo
        context.fill()
        context.beginPath()
      }
      context.arc(ax, ay, radius, 0, fullTurn)
      context.fillStyle = tinted(1)
      context.fill()
    }
  }
}

type Draw = (context: CanvasRenderingContext2D, x: number, y: number, style: MarkStyle) => void

const kinds = [
  { status: statusCodes.other, color: statusColors.other, draw: drawDiamond },
  { status: statusCodes.offline, color: statusColors.offline, draw: drawRing },
  { status: statusCodes.online, color: statusColors.online, draw: drawLight },
] as const
/** Grouped nodes first, and online nodes last within each pass, so that they are on top. */
const passes = [true, false].flatMap((isGrouped) => kinds.map((kind) => ({ kind, isGrouped })))

/** Nodes in their shapes. If there are too many for shapes, and in groups, they are coloured squares. */
function drawFlatNodes(
  context: CanvasRenderingContext2D,
  { projection, nodeStyle, widthPx, heightPx }: GlobeScene,
  columns: NodeColumns,
  groupOf: Uint32Array | undefined,
): void {
  const { unit, status, count, from } = columns
  const tints = columns.neighbours.map(({ colour }) => neighbourColor(colour))
  const { axes, centreXPx, centreYPx, radiusPx } = projection
  const [rx = 0, ry = 0, rz = 0, ux = 0, uy = 0, uz = 0, fx = 0, fy = 0, fz = 0] = axes
  for (const { isGrouped, kind } of passes) {
    const style = nodeStyle[shownCode(kind.status, isGrouped)]
    if (style === undefined || (isGrouped && groupOf === undefined)) continue
    const draw: Draw = style.coreRadiusPx > leastShapedRadiusPx ? kind.draw : drawGrain
    context.globalAlpha = style.alpha
    context.fillStyle = kind.color
    context.strokeStyle = kind.color
    for (let index = 0, at = 0; index < count; index++, at += 3) {
      if (status[index] !== kind.status || (groupOf?.[index] ?? 0) > 0 !== isGrouped) continue
      const x = unit[at] ?? 0
      const y = unit[at + 1] ?? 0
      const z = unit[at + 2] ?? 0
      if (fx * x + fy * y + fz * z < 0) continue
      const xPx = centreXPx + radiusPx * (rx * x + ry * y + rz * z)
      const yPx = centreYPx - radiusPx * (ux * x + uy * y + uz * z)
      if (xPx < 0 || yPx < 0 || xPx > widthPx || yPx > heightPx) continue
      const tint = tints[(from[index] ?? 0) - 1]
      if (tint === undefined) draw(context, xPx, yPx, style)
      else drawTinted(context, xPx, yPx, style, draw, tint)
    }
  }
  context.globalAlpha = 1
}

/** A mark with a ring in its neighbour's colour, or a grain in that colour. */
function drawTinted(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  style: MarkStyle,
  draw: Draw,
  tint: string,
) {
  const { fillStyle, strokeStyle } = context
  if (draw === drawGrain) context.fillStyle = tint
  draw(context, x, y, style)
  if (draw !== drawGrain) {
    context.beginPath()
    context.arc(x, y, style.coreRadiusPx + 2.75, 0, fullTurn)
    context.lineWidth = 1.5
    context.strokeStyle = tint
    context.stroke()
  }
  context.fillStyle = fillStyle
  context.strokeStyle = strokeStyle
}

function drawGrain(context: CanvasRenderingContext2D, x: number, y: number, style: MarkStyle) {
  const radius = style.coreRadiusPx * 0.88
  context.fillRect(x - radius, y - radius, 2 * radius, 2 * radius)
}

function drawDiamond(context: CanvasRenderingContext2D, x: number, y: number, style: MarkStyle) {
  const reach = style.coreRadiusPx * 1.25
  drawGround(context, x, y, style)
  context.beginPath()
  context.moveTo(x, y - reach)
  context.lineTo(x + reach, y)
  context.lineTo(x, y + reach)
  context.lineTo(x - reach, y)
  context.fill()
}

function drawRing(context: CanvasRenderingContext2D, x: number, y: number, style: MarkStyle) {
  const width = Math.max(1.4, style.coreRadiusPx * 0.42)
  drawGround(context, x, y, style)
  context.lineWidth = width
  context.beginPath()
  context.arc(x, y, style.coreRadiusPx - width / 2, 0, fullTurn)
  context.stroke()
}

/** A dark background, so that the mark is readable on land and sea. */
function drawGround(context: CanvasRenderingContext2D, x: number, y: number, style: MarkStyle) {
  const { fillStyle } = context
  context.fillStyle = 'rgb(5 8 15 / 60%)'
  context.beginPath()
  context.arc(x, y, style.coreRadiusPx + 2, 0, fullTurn)
  context.fill()
  context.fillStyle = fillStyle
}

function drawLight(context: CanvasRenderingContext2D, x: number, y: number, style: MarkStyle) {
  const { coreRadiusPx, haloRadiusPx, alpha } = style
  if (haloRadiusPx > 0) {
    for (const [share, strength] of [
      [0.7, 0.1],
      [0.35, 0.16],
    ] as const) {
      context.globalAlpha = alpha * strength
      context.beginPath()
      context.arc(x, y, coreRadiusPx + haloRadiusPx * share, 0, fullTurn)
      context.fill()
    }
    context.globalAlpha = alpha
  }
  context.beginPath()
  context.arc(x, y, coreRadiusPx, 0, fullTurn)
  context.fill()
  context.fillStyle = '#c9f6fd'
  context.beginPath()
  context.arc(x, y, coreRadiusPx * 0.45, 0, fullTurn)
  context.fill()
  context.fillStyle = statusColors.online
}
