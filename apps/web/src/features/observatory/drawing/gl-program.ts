import { rgbOf } from './node-style.ts'

/** A colour such as '#22d3ee' in GLSL. */
export function glslColor(hex: string): string {
  const parts = rgbOf(hex).map((part) => part.toFixed(4))
  return `vec3(${parts.join(', ')})`
}

/** @throws Error with the driver's message if it refuses a shader and the context is not lost */
export function createProgram(
  gl: WebGL2RenderingContext,
  vertexSource: string,
  fragmentSource: string,
): WebGLProgram {
  const program = gl.createProgram()
  const shaders = [
    compile(gl, gl.VERTEX_SHADER, vertexSource),
    compile(gl, gl.FRAGMENT_SHADER, fragmentSource),
  ]
  for (const shader of shaders) gl.attachShader(program, shader)
  gl.linkProgram(program)
  if (gl.getProgramParameter(program, gl.LINK_STATUS) !== true && !gl.isContextLost()) {
    const words = [program, ...shaders].map((part) =>
      part instanceof WebGLProgram ? gl.getProgramInfoLog(part) : gl.getShaderInfoLog(part),
    )
    throw new Error(`The graphics driver refused a shader: ${words.join(' ')}`)
  }
  // A program keeps its shaders for as long as it lives.
  for (const shader of shaders) gl.deleteShader(shader)
  return program
}

function compile(gl: WebGL2RenderingContext, type: GLenum, source: string): WebGLShader {
  const shader = gl.createShader(type)
  if (shader === null) throw new Error('The graphics driver gave no shader')
  gl.shaderSource(shader, source)
  gl.compileShader(shader)
  return shader
}

/** A uniform that the driver optimised away has the location null, which WebGL accepts. */
export function uniformLocations<Name extends string>(
  gl: WebGL2RenderingContext,
  program: WebGLProgram,
  names: readonly Name[],
): (name: Name) => WebGLUniformLocation | null {
  const locations = new Map(names.map((name) => [name, gl.getUniformLocation(program, name)]))
  return (name) => locations.get(name) ?? null
}
