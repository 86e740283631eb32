import type { NodeColumns } from '../../nodes/node-columns.ts'
import { createDrawOrder } from '../draw-order.ts'
import type { GlobeScene } from '../globe-scene.ts'
import { createProgram } from './create-program.ts'
import { nodeFragmentShader, nodeVertexShader } from './node-shader.ts'
import { uniformLocations } from './uniform-locations.ts'

const uniforms = ['u_size', 'u_disc', 'u_axes', 'u_looks', 'u_ratio'] as const

/**
 * All nodes in one draw call. Their places are uploaded once; a change of status rewrites a byte
 * for each node and the order of drawing, five bytes a node in all.
 */
export function createNodeLayer(gl: WebGL2RenderingContext) {
  const program = createProgram(gl, nodeVertexShader, nodeFragmentShader)
  const uniform = uniformLocations(gl, program, uniforms)
  const vertexArray = gl.createVertexArray()
  const places = gl.createBuffer()
  const statuses = gl.createBuffer()
  const orders = gl.createBuffer()
  const looks = new Float32Array(9)
  let order = createDrawOrder(new Uint8Array(0))

  gl.bindVertexArray(vertexArray)
  const unitAt = gl.getAttribLocation(program, 'a_unit')
  gl.bindBuffer(gl.ARRAY_BUFFER, places)
  gl.enableVertexAttribArray(unitAt)
  gl.vertexAttribPointer(unitAt, 3, gl.FLOAT, false, 0, 0)
  const statusAt = gl.getAttribLocation(program, 'a_status')
  gl.bindBuffer(gl.ARRAY_BUFFER, statuses)
  gl.enableVertexAttribArray(statusAt)
  gl.vertexAttribIPointer(statusAt, 1, gl.UNSIGNED_BYTE, 0, 0)
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, orders)
  gl.bindVertexArray(null)

  return {
    setNodes({ unit, status }: NodeColumns) {
      order = createDrawOrder(status)
      gl.bindVertexArray(vertexArray)
      gl.bindBuffer(gl.ARRAY_BUFFER, places)
      gl.bufferData(gl.ARRAY_BUFFER, unit, gl.STATIC_DRAW)
      gl.bindBuffer(gl.ARRAY_BUFFER, statuses)
      gl.bufferData(gl.ARRAY_BUFFER, status, gl.DYNAMIC_DRAW)
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, order.indexes, gl.DYNAMIC_DRAW)
      gl.bindVertexArray(null)
    },
    setStatuses({ status }: NodeColumns, indexes: Uint32Array) {
      order.follow(indexes, status)
      gl.bindVertexArray(vertexArray)
      gl.bindBuffer(gl.ARRAY_BUFFER, statuses)
      gl.bufferSubData(gl.ARRAY_BUFFER, 0, status)
      gl.bufferSubData(gl.ELEMENT_ARRAY_BUFFER, 0, order.indexes)
      gl.bindVertexArray(null)
    },
    draw({ projection, pixelRatio, widthPx, heightPx, nodeLook }: GlobeScene) {
      const { centreXPx, centreYPx, radiusPx, axes } = projection
      if (order.indexes.length === 0) return
      for (const [i, { coreRadiusPx, haloRadiusPx, alpha }] of nodeLook.entries()) {
        looks[i * 3] = coreRadiusPx * pixelRatio
        looks[i * 3 + 1] = haloRadiusPx * pixelRatio
        looks[i * 3 + 2] = alpha
      }
      gl.useProgram(program)
      gl.bindVertexArray(vertexArray)
      gl.uniform2f(uniform('u_size'), widthPx * pixelRatio, heightPx * pixelRatio)
      gl.uniform3f(
        uniform('u_disc'),
        centreXPx * pixelRatio,
        (heightPx - centreYPx) * pixelRatio,
        radiusPx * pixelRatio,
      )
      gl.uniformMatrix3fv(uniform('u_axes'), false, axes)
      gl.uniform3fv(uniform('u_looks'), looks)
      gl.uniform1f(uniform('u_ratio'), pixelRatio)
      gl.enable(gl.BLEND)
      gl.drawElements(gl.POINTS, order.indexes.length, gl.UNSIGNED_INT, 0)
    },
    dispose() {
      for (const buffer of [places, statuses, orders]) gl.deleteBuffer(buffer)
      gl.deleteVertexArray(vertexArray)
      gl.deleteProgram(program)
    },
  }
}
