import { createProgram, glslColor, uniformLocations } from '../drawing/gl-program.ts'
import {
  type GlobeScene,
  glyphFont,
  glyphs,
  glyphSquare,
  numbersPerStroke,
  shareColors,
  shareGroundAlpha,
  strokeKinds,
} from './globe-scene.ts'

const bytesPerFloat = 4
const strideBytes = numbersPerStroke * bytesPerFloat
/** Size of a glyph's square in the atlas, about twice the size that counts are drawn at. */
const glyphPx = 32

export function createStrokeLayer(gl: WebGL2RenderingContext) {
  const program = createProgram(gl, strokeVertexShader, strokeFragmentShader)
  const uniform = uniformLocations(gl, program, ['u_size', 'u_ratio'])
  const vertexArray = gl.createVertexArray()
  const buffer = gl.createBuffer()
  const atlas = createAtlas(gl)
  let capacity = 0

  gl.bindVertexArray(vertexArray)
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer)
  for (const [i, name] of ['a_ends', 'a_shape', 'a_color'].entries()) {
    const at = gl.getAttribLocation(program, name)
    gl.enableVertexAttribArray(at)
    gl.vertexAttribPointer(at, 4, gl.FLOAT, false, strideBytes, i * 4 * bytesPerFloat)
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
      gl.bindTexture(gl.TEXTURE_2D, atlas)
      gl.uniform2f(uniform('u_size'), widthPx, heightPx)
      gl.uniform1f(uniform('u_ratio'), pixelRatio)
      gl.enable(gl.BLEND)
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count)
    },
    dispose() {
      gl.deleteBuffer(buffer)
      gl.deleteTexture(atlas)
      gl.deleteVertexArray(vertexArray)
      gl.deleteProgram(program)
    },
  }
}

function createAtlas(gl: WebGL2RenderingContext): WebGLTexture {
  const texture = gl.createTexture()
  const canvas = document.createElement('canvas')
  canvas.width = glyphPx * glyphs.length
  canvas.height = glyphPx
  const context = canvas.getContext('2d')
  if (context !== null) {
    context.font = glyphFont.replace('1px', `${glyphPx / glyphSquare}px`)
    context.textAlign = 'center'
    context.textBaseline = 'middle'
    context.fillStyle = '#fff'
    for (const [i, glyph] of glyphs.split('').entries()) {
      context.fillText(glyph, (i + 0.5) * glyphPx, glyphPx / 2)
    }
  }
  gl.bindTexture(gl.TEXTURE_2D, texture)
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, canvas.width, glyphPx)
  gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, gl.RGBA, gl.UNSIGNED_BYTE, canvas)
  return texture
}

/** A rectangle for each stroke, with four corners per instance. a_shape: radius, soft part, kind, alpha. */
const strokeVertexShader = `#version 300 es
precision highp float;

uniform vec2 u_size;
in vec4 a_ends;
in vec4 a_shape;
in vec4 a_color;
out vec2 v_offset;
flat out vec4 v_shape;
flat out vec4 v_color;

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
  v_color = a_color;
  gl_Position = vec4(at.x / u_size.x * 2.0 - 1.0, 1.0 - at.y / u_size.y * 2.0, 0.0, 1.0);
}`

const strokeFragmentShader = `#version 300 es
precision highp float;

uniform float u_ratio;
in vec2 v_offset;
flat in vec4 v_shape;
flat in vec4 v_color;
uniform sampler2D u_atlas;
out vec4 color;

const vec3 GROUND = ${glslColor(shareColors.ground)};
const vec3 REST = ${glslColor(shareColors.rest)};

float within(float rest) {
  return clamp(rest * u_ratio + 0.5, 0.0, 1.0);
}

void main() {
  float away = length(v_offset);
  vec3 tint = v_color.rgb;
  float cover;
  if (v_shape.z > ${strokeKinds.share + 0.5}) {
    vec2 cell = clamp(v_offset / v_shape.x * 0.5 + 0.5, 0.0, 1.0);
    cover = texture(u_atlas, vec2((cell.x + v_color.a) / ${glyphs.length.toFixed(1)}, cell.y)).a;
  } else if (v_shape.z > ${strokeKinds.ring - 0.5}) {
    cover = within(v_shape.y - abs(away - v_shape.x));
    if (v_shape.z > ${strokeKinds.ring + 0.5}) {
      float turn = fract(atan(v_offset.x, -v_offset.y) / 6.2832 + 1.0);
      float ground = within(v_shape.x - away) * ${shareGroundAlpha} * (1.0 - cover);
      tint = mix(GROUND, turn < v_color.a ? tint : REST, cover / max(cover + ground, 0.001));
      cover += ground;
    }
  } else {
    cover = within(v_shape.x - away);
    if (v_shape.y > 0.0) {
      float halo = clamp(1.0 - max(away - v_shape.x, 0.0) / v_shape.y, 0.0, 1.0);
      cover = max(cover, halo * halo * halo * 0.4);
    }
  }
  float alpha = cover * v_shape.w;
  color = vec4(tint * alpha, alpha);
}`
