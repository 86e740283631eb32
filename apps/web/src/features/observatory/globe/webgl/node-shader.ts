import { statusColors } from '../../nodes/status-colors.ts'
import { leastShapedRadiusPx } from '../node-look.ts'
import { rgbOf } from '../rgb.ts'

const vec3 = (hex: string) =>
  `vec3(${rgbOf(hex)
    .map((part) => part.toFixed(4))
    .join(', ')})`

/** A point for each node, in device pixels; statuses as in statusCodes. */
export const nodeVertexShader = `#version 300 es
precision highp float;

uniform vec2 u_size;
uniform vec3 u_disc;
uniform mat3 u_axes;
uniform vec3 u_looks[3];  // core radius, halo, alpha
in vec3 a_unit;
in uint a_status;
out vec3 v_look;
out float v_side;
flat out uint v_status;

void main() {
  vec3 seen = a_unit * u_axes;
  if (seen.z < 0.0) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = 1.0;
    return;
  }
  v_status = a_status;
  v_look = u_looks[a_status];
  v_look.z *= 0.45 + 0.55 * smoothstep(0.0, 0.25, seen.z);
  v_side = 2.0 * ceil(v_look.x + v_look.y + 1.0);
  gl_PointSize = v_side;
  gl_Position = vec4((u_disc.xy + u_disc.z * seen.xy) / u_size * 2.0 - 1.0, 0.0, 1.0);
}`

export const nodeFragmentShader = `#version 300 es
precision highp float;

uniform float u_ratio;
in vec3 v_look;
in float v_side;
flat in uint v_status;
out vec4 color;

const vec3 ONLINE = ${vec3(statusColors.online)};
const vec3 OFFLINE = ${vec3(statusColors.offline)};
const vec3 OTHER = ${vec3(statusColors.other)};

void main() {
  vec2 q = (gl_PointCoord - 0.5) * v_side;
  float radius = v_look.x;
  float away = length(q);
  bool isShaped = radius > ${leastShapedRadiusPx.toFixed(1)} * u_ratio;
  float cover = clamp(radius - away + 0.5, 0.0, 1.0);
  if (v_status == 2u) {
    float halo = v_look.y > 0.0 ? max(1.0 - max(away - radius * 0.6, 0.0) / (v_look.y + radius * 0.4), 0.0) : 0.0;
    float heart = isShaped ? smoothstep(radius * 0.75, 0.0, away) * 0.75 : 0.0;
    float alpha = max(cover, halo * halo * 0.55) * v_look.z;
    color = vec4(mix(ONLINE, vec3(1.0), heart) * alpha, alpha);
  } else if (v_status == 1u) {
    float width = max(1.4 * u_ratio, radius * 0.42);
    float hollow = isShaped ? clamp(radius - width - away + 0.5, 0.0, 1.0) : 0.0;
    float alpha = cover * v_look.z;
    // The ring's inside is dark, so that it reads on land and on sea.
    color = vec4(mix(OFFLINE, vec3(0.03, 0.05, 0.10), hollow) * alpha * (1.0 - 0.35 * hollow), alpha * (1.0 - 0.35 * hollow));
  } else {
    float cut = isShaped ? clamp(radius - (abs(q.x) + abs(q.y)) * 0.80 + 0.5, 0.0, 1.0) : cover;
    float alpha = cut * v_look.z;
    color = vec4(OTHER * alpha, alpha);
  }
}`
