import { strokeKinds } from '../strokes.ts'

/** A rectangle for each stroke, four corners an instance; a_shape: radius, soft part, kind, alpha. */
export const strokeVertexShader = `#version 300 es
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

export const strokeFragmentShader = `#version 300 es
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
