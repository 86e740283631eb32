import type { NodeColumns } from '../../nodes/node-columns.ts'
import { noNodes } from '../../nodes/node-columns.ts'
import type { GlobeRenderer } from '../globe-scene.ts'
import { drawFlatNodes } from './draw-flat-nodes.ts'
import { drawFlatPlanet } from './draw-flat-planet.ts'
import { drawFlatStrokes } from './draw-flat-strokes.ts'
import { landDots } from './land-dots.ts'

/** The same globe for browsers without WebGL. */
export function createCanvas2dRenderer(context: CanvasRenderingContext2D): GlobeRenderer {
  let columns: NodeColumns = noNodes
  let dots = new Float32Array(0)
  return {
    setNodes(next) {
      columns = next
    },
    setStatuses(next) {
      columns = next
    },
    setLand(rings) {
      dots = landDots(rings)
    },
    draw(scene) {
      // The context's unit is a CSS pixel.
      context.setTransform(scene.pixelRatio, 0, 0, scene.pixelRatio, 0, 0)
      drawFlatPlanet(context, scene, dots)
      drawFlatNodes(context, scene, columns)
      drawFlatStrokes(context, scene.strokes)
    },
    dispose() {
      dots = new Float32Array(0)
    },
  }
}
