import { type NodeColumns, noNodes } from '../../nodes/node-columns.ts'
import type { GlobeRenderer } from '../globe-scene.ts'
import {
  glyphFont,
  glyphSquare,
  glyphs,
  numbersPerStroke,
  shareColors,
  shareGroundAlpha,
  strokeKinds,
  type Strokes,
} from '../strokes.ts'
import { drawFlatNodes } from './draw-flat-nodes.ts'
import { drawFlatPlanet } from './draw-flat-planet.ts'
import { landDots } from './land-dots.ts'

/** The same globe for browsers without WebGL. */
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
      // Scales the context to CSS pixels.
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

/** Lines, discs, rings and counts. */
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
