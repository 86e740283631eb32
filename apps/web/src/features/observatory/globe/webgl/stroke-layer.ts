import { createProgram, uniformLocations } from '../../drawing/gl-program.ts'
import type { GlobeScene } from '../globe-scene.ts'
import { numbersPerStroke, strokeKinds } from '../strokes.ts'

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

/** A rectangle for each stroke, four corners an instance; a_shape: radius, soft part, kind, alpha. */
const strokeVertexShader = `#version 300 es
precision highp float;

uniform vec2 u_size;
in vec4 a_ends;
in vec4 a_shape;
in vec4 a_color;
out vec2 v_offset;
flat out vec4 v_shape;
flat out vec3 v_color;

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  float reach = a_shape.x + a_shape.y + 1.0;
  vec2 at;
  if (a_shape.z < ${strokeKinds.line + 0.5}) {
    vec2 way = a_ends.zw - a_ends.xy;
    vec2 across = normalize(vec2(-way.y, way.x) + vec2(0.0, 1e-6));
    v_offset = vec2(0.0, corner.y * reach);
    at = mix(a_ends.xy, a_ends.zw, corner.x * 0.5 + 0.5) + across * v_offset.y;
  } else {
    v_offset = corner * reach;
    at = a_ends.xy + v_offset;
  }
  v_shape = a_shape;
  v_color = a_color.rgb;
  gl_Position = vec4(at.x / u_size.x * 2.0 - 1.0, 1.0 - at.y / u_size.y * 2.0, 0.0, 1.0);
}`

const strokeFragmentShader = `#version 300 es
precision highp float;

uniform float u_ratio;
in vec2 v_offset;
flat in vec4 v_shape;
flat in vec3 v_color;
out vec4 color;

float within(float rest) {
  return clamp(rest * u_ratio + 0.5, 0.0, 1.0);
}

void main() {
  float away = length(v_offset);
  float cover;
  if (v_shape.z > ${strokeKinds.ring - 0.5}) {
    cover = within(v_shape.y - abs(away - v_shape.x));
  } else {
    cover = within(v_shape.x - away);
    if (v_shape.y > 0.0) {
      float halo = clamp(1.0 - max(away - v_shape.x, 0.0) / v_shape.y, 0.0, 1.0);
      cover = max(cover, halo * halo * halo * 0.4);
    }
  }
  float alpha = cover * v_shape.w;
  color = vec4(v_color * alpha, alpha);
}`
