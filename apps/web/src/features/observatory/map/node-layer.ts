import type { CustomLayerInterface } from 'maplibre-gl'
import { createDrawOrder, type DrawOrder } from '../drawing/draw-order.ts'
import { nodeLook, type NodeLook } from '../drawing/node-look.ts'
import { createProgram } from '../drawing/gl-program.ts'
import { nodeFragmentShader } from '../drawing/node-points.ts'
import type { NodeStore } from '../nodes/node-store.ts'
import { type MapCamera, type MapSize, minZoom, worldSizePx } from './map-camera.ts'
import { worldPoint, worldPositions } from './mercator.ts'

export const nodeLayerId = 'nodes'

/** MapLibre's layer for the nodes, drawn straight from the store's columns. */
export function nodeLayer(
  store: NodeStore,
  view: { readonly camera: MapCamera; readonly size: MapSize },
): CustomLayerInterface {
  let drawing: NodeDrawing | undefined
  let unsubscribe: (() => void) | undefined
  let isReplaced = true
  let changes: Uint32Array[] = []

  return {
    id: nodeLayerId,
    type: 'custom',
    onAdd(map, gl) {
      drawing = createNodeDrawing(gl)
      isReplaced = true
      unsubscribe = store.subscribe((change) => {
        // Uploaded with the next frame: between frames the context is MapLibre's.
        if (change.kind === 'replaced') isReplaced = true
        else changes.push(change.indexes)
        map.triggerRepaint()
      })
    },
    render() {
      if (drawing === undefined) return
      const { columns } = store
      if (isReplaced) drawing.setNodes(worldPositions(columns), columns.status)
      else if (changes.length > 0) drawing.setStatuses(columns.status, changes)
      isReplaced = false
      changes = []
      drawing.draw(view.camera, view.size, mapNodeLook(columns.count, view.camera.zoom))
    },
    onRemove() {
      unsubscribe?.()
      drawing?.dispose()
      drawing = undefined
    },
  }
}

/** So many marks on the whole world add up to a glow; fainter ones let its middle stand out. */
const glowingNodes = 5000

/** The globe's marks. Each zoom level spreads the nodes over four times the room: they may grow. */
function mapNodeLook(nodes: number, zoom: number): NodeLook {
  const crowd = nodes / 4 ** (zoom - minZoom)
  const faintness = Math.max(0.45, Math.min(1, (glowingNodes / Math.max(1, crowd)) ** 0.3))
  const [other, offline, online] = nodeLook(crowd, 1, 0)
  return [
    { ...other, alpha: other.alpha * faintness },
    { ...offline, alpha: offline.alpha * faintness },
    { ...online, alpha: online.alpha * faintness },
  ]
}

/** A point for each node on the flat world; the globe's fragment shader gives it the same mark. */
const vertexShader = `#version 300 es
precision highp float;

uniform vec2 u_centre;
uniform vec2 u_world;    // the world's size in clip space
uniform float u_turn;
uniform vec3 u_looks[3]; // core radius, halo, alpha
in vec2 a_position;
in uint a_status;
out vec3 v_look;
out float v_side;
flat out uint v_status;

void main() {
  float east = a_position.x - u_centre.x;
  // On the copy of the world that is next to the centre, or on one beside it.
  east += u_turn - floor(east + 0.5);
  v_status = a_status;
  v_look = u_looks[a_status];
  v_side = 2.0 * ceil(v_look.x + v_look.y + 1.0);
  gl_PointSize = v_side;
  gl_Position = vec4(vec2(east, u_centre.y - a_position.y) * u_world, 0.0, 1.0);
}`

interface NodeDrawing {
  setNodes(positions: Float32Array<ArrayBuffer>, status: Uint8Array): void
  setStatuses(status: Uint8Array, changes: readonly Uint32Array[]): void
  draw(camera: MapCamera, size: MapSize, look: NodeLook): void
  dispose(): void
}

/** All nodes as points, in one draw call for each copy of the world that the screen shows. */
function createNodeDrawing(gl: WebGL2RenderingContext): NodeDrawing {
  const program = createProgram(gl, vertexShader, nodeFragmentShader)
  const vertexArray = gl.createVertexArray()
  const positionBuffer = gl.createBuffer()
  const statusBuffer = gl.createBuffer()
  const orderBuffer = gl.createBuffer()
  const uniforms = {
    centre: gl.getUniformLocation(program, 'u_centre'),
    world: gl.getUniformLocation(program, 'u_world'),
    turn: gl.getUniformLocation(program, 'u_turn'),
    looks: gl.getUniformLocation(program, 'u_looks'),
    ratio: gl.getUniformLocation(program, 'u_ratio'),
  }
  let order: DrawOrder = createDrawOrder(new Uint8Array(0))

  gl.bindVertexArray(vertexArray)
  const position = gl.getAttribLocation(program, 'a_position')
  gl.bindBuffer(gl.ARRAY_BUFFER, positionBuffer)
  gl.enableVertexAttribArray(position)
  gl.vertexAttribPointer(position, 2, gl.FLOAT, false, 0, 0)
  const statusAttribute = gl.getAttribLocation(program, 'a_status')
  gl.bindBuffer(gl.ARRAY_BUFFER, statusBuffer)
  gl.enableVertexAttribArray(statusAttribute)
  gl.vertexAttribIPointer(statusAttribute, 1, gl.UNSIGNED_BYTE, 0, 0)
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, orderBuffer)
  gl.bindVertexArray(null)

  const uploadStatuses = (status: Uint8Array) => {
    gl.bindVertexArray(vertexArray)
    gl.bindBuffer(gl.ARRAY_BUFFER, statusBuffer)
    gl.bufferData(gl.ARRAY_BUFFER, status, gl.DYNAMIC_DRAW)
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, order.indexes, gl.DYNAMIC_DRAW)
    gl.bindVertexArray(null)
  }

  return {
    setNodes(positions, status) {
      gl.bindBuffer(gl.ARRAY_BUFFER, positionBuffer)
      gl.bufferData(gl.ARRAY_BUFFER, positions, gl.STATIC_DRAW)
      order = createDrawOrder(status)
      uploadStatuses(status)
    },
    setStatuses(status, changes) {
      for (const changed of changes) order.follow(changed, status)
      uploadStatuses(status)
    },
    draw(camera, size, look) {
      const nodes = order.indexes.length
      if (nodes === 0) return
      const worldPx = worldSizePx(camera.zoom)
      const centre = worldPoint(camera)
      const ratio = gl.drawingBufferWidth / size.widthPx
      gl.useProgram(program)
      gl.bindVertexArray(vertexArray)
      gl.uniform2f(uniforms.centre, centre.x, centre.y)
      gl.uniform2f(uniforms.world, (2 * worldPx) / size.widthPx, (2 * worldPx) / size.heightPx)
      gl.uniform1f(uniforms.ratio, ratio)
      gl.uniform3fv(
        uniforms.looks,
        look.flatMap(({ coreRadiusPx, haloRadiusPx, alpha }) => [
          coreRadiusPx * ratio,
          haloRadiusPx * ratio,
          alpha,
        ]),
      )
      for (const turn of worldPx < size.widthPx ? [-1, 0, 1] : [0]) {
        gl.uniform1f(uniforms.turn, turn)
        gl.drawElements(gl.POINTS, nodes, gl.UNSIGNED_INT, 0)
      }
      gl.bindVertexArray(null)
    },
    dispose() {
      gl.deleteBuffer(positionBuffer)
      gl.deleteBuffer(statusBuffer)
      gl.deleteBuffer(orderBuffer)
      gl.deleteVertexArray(vertexArray)
      gl.deleteProgram(program)
    },
  }
}
