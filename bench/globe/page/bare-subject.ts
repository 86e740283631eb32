import type { NodeColumns } from '../../../apps/web/src/features/observatory/nodes/node-columns.ts'
import type { Subject } from './subject.ts'

const vertexShader = `#version 300 es
precision highp float;
uniform float u_yaw;
in vec3 a_unit;
in uint a_status;
out float v_light;
void main() {
  float c = cos(u_yaw), s = sin(u_yaw);
  vec3 seen = vec3(a_unit.x * c - a_unit.z * s, a_unit.y, a_unit.x * s + a_unit.z * c);
  v_light = float(a_status);
  gl_PointSize = 3.0;
  gl_Position = seen.z < 0.0 ? vec4(2.0) : vec4(seen.x * 0.5, seen.y, 0.0, 1.0);
}`
const fragmentShader = `#version 300 es
precision mediump float;
in float v_light;
out vec4 color;
void main() { color = vec4(0.2, v_light * 0.4, 0.9, 1.0); }`
const triangleShader = `#version 300 es
void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }`
const plainShader = `#version 300 es
precision mediump float;
out vec4 color;
void main() { color = vec4(0.02, 0.03, 0.06, 1.0); }`

/** The simplest possible globe: one triangle and one draw of points, without shading. */
export function bareSubject(canvas: HTMLCanvasElement, columns: NodeColumns): Subject {
  const { unit, status } = columns
  canvas.width = canvas.clientWidth
  canvas.height = canvas.clientHeight
  const gl = canvas.getContext('webgl2', { alpha: false, antialias: false, depth: false })
  if (gl === null) throw new Error('No WebGL 2')
  const triangle = program(gl, triangleShader, plainShader)
  const points = program(gl, vertexShader, fragmentShader)
  const yawAt = gl.getUniformLocation(points, 'u_yaw')
  const unitAt = gl.getAttribLocation(points, 'a_unit')
  const statusAt = gl.getAttribLocation(points, 'a_status')
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer())
  gl.bufferData(gl.ARRAY_BUFFER, unit, gl.STATIC_DRAW)
  gl.enableVertexAttribArray(unitAt)
  gl.vertexAttribPointer(unitAt, 3, gl.FLOAT, false, 0, 0)
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer())
  gl.bufferData(gl.ARRAY_BUFFER, status, gl.DYNAMIC_DRAW)
  gl.enableVertexAttribArray(statusAt)
  gl.vertexAttribIPointer(statusAt, 1, gl.UNSIGNED_BYTE, 0, 0)
  let yawDeg = 0
  let sum = 0

  const draw = () => {
    gl.useProgram(triangle)
    gl.drawArrays(gl.TRIANGLES, 0, 3)
    gl.useProgram(points)
    gl.uniform1f(yawAt, (yawDeg * Math.PI) / 180)
    gl.drawArrays(gl.POINTS, 0, columns.count)
  }
  requestAnimationFrame(draw)
  return {
    canvas,
    isComplete: () => true,
    turnTo(next) {
      yawDeg = next
      requestAnimationFrame(draw)
    },
    setStatuses(indexes, statuses) {
      for (const [i, index] of indexes.entries()) status[index] = statuses[i] ?? 0
      gl.bufferSubData(gl.ARRAY_BUFFER, 0, status)
      requestAnimationFrame(draw)
    },
    // The simplest search looks at each node once.
    pick() {
      for (const part of unit) sum += part
      canvas.dataset['sum'] = String(sum)
    },
    dispose() {
      gl.getExtension('WEBGL_lose_context')?.loseContext()
    },
  }
}

function program(gl: WebGL2RenderingContext, vertex: string, fragment: string): WebGLProgram {
  const made = gl.createProgram()
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(type)
    if (shader === null) throw new Error('No shader')
    gl.shaderSource(shader, source)
    gl.compileShader(shader)
    gl.attachShader(made, shader)
  }
  gl.linkProgram(made)
  return made
}
