import type { CustomLayerInterface } from 'maplibre-gl'
import { uniformLocations } from '../drawing/gl-program.ts'
import { nodeStyle, type NodeStyle } from '../drawing/node-style.ts'
import { createNodePoints, readShown, tintReachPx } from '../drawing/node-points.ts'
import { tintsOf } from '../nodes/node-columns.ts'
import type { NodeStore } from '../nodes/node-store.ts'
import { type MapCamera, minZoom, worldPoint, worldPositions, worldSizePx } from './map-camera.ts'
import type { Size } from '../geometry/boxes.ts'

export const nodeLayerId = 'nodes'

/** Draws from the store's columns. Single nodes get a mark; nodes counted in a marker are grains. */
export function nodeLayer(
  store: NodeStore,
  view: { readonly camera: MapCamera; readonly size: Size },
  readAlone: () => readonly number[] | undefined,
): CustomLayerInterface {
  let drawing: ReturnType<typeof createNodeDrawing> | undefined
  let unsubscribe: (() => void) | undefined
  let isReplaced = true
  let drawnAlone: readonly number[] | undefined
  let changes: Uint32Array[] = []

  return {
    id: nodeLayerId,
    type: 'custom',
    onAdd(map, gl) {
      drawing = createNodeDrawing(gl)
      isReplaced = true
      unsubscribe = store.subscribe((change) => {
        // Uploaded in the next frame, because the context belongs to MapLibre in between.
        if (change.kind === 'replaced') isReplaced = true
        else changes.push(change.indexes)
        map.triggerRepaint()
      })
    },
    render() {
      if (drawing === undefined) return
      const { columns } = store
      const { points } = drawing
      const alone = readAlone()
      if (isReplaced) {
        points.setNodes(worldPositions(columns), columns.status, tintsOf(columns))
      } else if (changes.length > 0) points.setStatuses(columns.status, ...changes)
      if (isReplaced || alone !== drawnAlone) {
        points.setGroups(columns.status, alone && groupsBeside(alone, columns.count))
      }
      isReplaced = false
      drawnAlone = alone
      changes = []
      const style = mapNodeStyle(columns.count, view.camera.zoom, alone !== undefined)
      drawing.draw(view.camera, view.size, style)
    },
    onRemove() {
      unsubscribe?.()
      drawing?.points.dispose()
      drawing = undefined
    },
  }
}

/** Nodes that are not single are counted in a marker, or will be once the map is at rest. */
function groupsBeside(alone: readonly number[], count: number): Uint32Array {
  const groupOf = new Uint32Array(count).fill(1)
  for (const index of alone) groupOf[index] = 0
  return groupOf
}

/** The globe's marks. Each zoom level gives the nodes four times the room, so the marks may grow. */
function mapNodeStyle(nodes: number, zoom: number, isGrouped: boolean): NodeStyle {
  const count = nodes / 4 ** (zoom - minZoom)
  return nodeStyle({ count, zoom: 1, skyShare: 0, isGrouped })
}

/** A point for each node on the flat world. The globe's fragment shader gives it the same mark. */
const vertexShader = `#version 300 es
precision highp float;

uniform vec2 u_centre;
uniform vec2 u_world;    // the world's size in clip space
uniform float u_turn;
uniform vec3 u_looks[6]; // core radius, halo, alpha
uniform float u_ratio;
in vec2 a_position;
in uint a_shown;
out vec3 v_look;
out float v_side;
flat out uint v_status;
flat out uint v_tint;

void main() {
  float east = a_position.x - u_centre.x;
  // On the copy of the world nearest to the centre, or on a neighbouring one.
  east += u_turn - floor(east + 0.5);
  ${readShown}
  v_side = 2.0 * ceil(v_look.x + v_look.y + (v_tint > 0u ? ${tintReachPx} * u_ratio : 3.5));
  gl_PointSize = v_side;
  gl_Position = vec4(vec2(east, u_centre.y - a_position.y) * u_world, 0.0, 1.0);
}`

function createNodeDrawing(gl: WebGL2RenderingContext) {
  const points = createNodePoints(gl, { vertexShader, position: { name: 'a_position', size: 2 } })
  const uniform = uniformLocations(gl, points.program, ['u_centre', 'u_world', 'u_turn'])
  return {
    points,
    draw(camera: MapCamera, size: Size, style: NodeStyle) {
      if (points.count === 0) return
      const worldPx = worldSizePx(camera.zoom)
      const centre = worldPoint(camera)
      points.use(style, gl.drawingBufferWidth / size.widthPx)
      gl.uniform2f(uniform('u_centre'), centre.x, centre.y)
      gl.uniform2f(uniform('u_world'), (2 * worldPx) / size.widthPx, (2 * worldPx) / size.heightPx)
      for (const turn of worldPx < size.widthPx ? [-1, 0, 1] : [0]) {
        gl.uniform1f(uniform('u_turn'), turn)
        points.draw()
      }
    },
  }
}
