import { createProgram } from '../globe/webgl/create-program.ts'
import { createDrawOrder, type DrawOrder } from '../globe/draw-order.ts'
import type { NodeLook } from '../globe/node-look.ts'
import { nodeFragmentShader } from '../globe/webgl/node-shader.ts'
import { type MapCamera, type MapSize, worldSizePx } from './map-camera.ts'
import { worldPoint } from './mercator.ts'
import { mapVertexShader } from './map-vertex-shader.ts'

export interface NodeDrawing {
  setNodes(places: Float32Array<ArrayBuffer>, status: Uint8Array): void
  setStatuses(status: Uint8Array, changes: readonly Uint32Array[]): void
  draw(camera: MapCamera, size: MapSize, look: NodeLook): void
  dispose(): void
}

/** All nodes as points, in one draw call for each copy of the world that the screen shows. */
export function createNodeDrawing(gl: WebGL2RenderingContext): NodeDrawing {
  const program = createProgram(gl, mapVertexShader, nodeFragmentShader)
  const vertexArray = gl.createVertexArray()
  const placeBuffer = gl.createBuffer()
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
  const place = gl.getAttribLocation(program, 'a_place')
  gl.bindBuffer(gl.ARRAY_BUFFER, placeBuffer)
  gl.enableVertexAttribArray(place)
  gl.vertexAttribPointer(place, 2, gl.FLOAT, false, 0, 0)
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
    setNodes(places, status) {
      gl.bindBuffer(gl.ARRAY_BUFFER, placeBuffer)
      gl.bufferData(gl.ARRAY_BUFFER, places, gl.STATIC_DRAW)
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
      const centre = worldPoint(camera.latDeg, camera.lonDeg)
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
      gl.deleteBuffer(placeBuffer)
      gl.deleteBuffer(statusBuffer)
      gl.deleteBuffer(orderBuffer)
      gl.deleteVertexArray(vertexArray)
      gl.deleteProgram(program)
    },
  }
}
