import type { GlobeScene } from '../globe-scene.ts'
import { numbersPerStroke } from '../strokes.ts'
import { createProgram } from './create-program.ts'
import { strokeFragmentShader, strokeVertexShader } from './stroke-shader.ts'
import { uniformLocations } from './uniform-locations.ts'

const bytesPerFloat = 4

/** Stars, orbits, satellites and marks in one draw call. */
export function createStrokeLayer(gl: WebGL2RenderingContext) {
  const program = createProgram(gl, strokeVertexShader, strokeFragmentShader)
  const uniform = uniformLocations(gl, program, ['u_size', 'u_ratio'])
  const vertexArray = gl.createVertexArray()
  const buffer = gl.createBuffer()
  let capacity = 0

  gl.bindVertexArray(vertexArray)
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer)
  for (const [i, name] of ['a_ends', 'a_shape', 'a_color'].entries()) {
    const at = gl.getAttribLocation(program, name)
    gl.enableVertexAttribArray(at)
    gl.vertexAttribPointer(
      at,
      4,
      gl.FLOAT,
      false,
      numbersPerStroke * bytesPerFloat,
      i * 4 * bytesPerFloat,
    )
    gl.vertexAttribDivisor(at, 1)
  }
  gl.bindVertexArray(null)

  return {
    draw({ strokes, widthPx, heightPx, pixelRatio }: GlobeScene) {
      if (strokes.count === 0) return
      const { numbers, count } = strokes
      gl.useProgram(program)
      gl.bindVertexArray(vertexArray)
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer)
      if (capacity === 0) {
        capacity = numbers.length
        gl.bufferData(gl.ARRAY_BUFFER, numbers, gl.DYNAMIC_DRAW)
      } else {
        gl.bufferSubData(gl.ARRAY_BUFFER, 0, numbers, 0, count * numbersPerStroke)
      }
      gl.uniform2f(uniform('u_size'), widthPx, heightPx)
      gl.uniform1f(uniform('u_ratio'), pixelRatio)
      gl.enable(gl.BLEND)
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count)
    },
    dispose() {
      gl.deleteBuffer(buffer)
      gl.deleteVertexArray(vertexArray)
      gl.deleteProgram(program)
    },
  }
}
