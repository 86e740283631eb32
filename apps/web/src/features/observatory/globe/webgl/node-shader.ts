import { statusColors } from '../../nodes/status-colors.ts'
import { leastShapedRadiusPx } from '../node-look.ts'
import { rgbOf } from '../rgb.ts'

const shaped = leastShapedRadiusPx.toFixed(1)
const vec3 = (hex: string) =>
  `vec3(${rgbOf(hex)
    .map((part) => part.toFixed(4))
    .join(', ')})`

/** A point for each node, in device pixels; u_looks: core radius, halo and alpha for each of statusCodes. */
export const nodeVertexShader = `#version 300 es
precision highp float;

uniform vec2 u_size;
uniform vec3 u_disc;
uniform mat3 u_axes;
uniform vec3 u_looks[3];
uniform float u_ratio;
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
  float ground = v_look.x > ${shaped} * u_ratio ? 2.5 * u_ratio : 0.0;
  v_side = 2.0 * (v_look.x + max(v_look.y, ground) + 0.5);
  gl_PointSize = v_side;
  gl_Position = vec4((u_disc.xy + u_disc.z * seen.xy) / u_size * 2.0 - 1.0, 0.0, 1.0);
}`

/**
 * Few, large marks have shapes and stand on a dark ground of their own, to read on land and on sea.
 * Many are grains of light: the online add up, so that the densest places still differ, from cyan
 * towards white.
 */
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
  bool isShaped = radius > ${shaped} * u_ratio;
  float cover = clamp(radius - away + 0.5, 0.0, 1.0);
  float ground = isShaped ? clamp((radius + 2.5 * u_ratio - away) / (1.5 * u_ratio), 0.0, 1.0) * 0.6 : 0.0;
  vec3 tint;
  if (v_status == 2u) {
    float reach = v_look.y + radius * 0.4;
    float halo = v_look.y > 0.0 ? max(1.0 - max(away - radius * 0.6, 0.0) / reach, 0.0) : 0.0;
    float heart = isShaped ? smoothstep(radius * 0.75, 0.0, away) * 0.75 : 0.0;
    cover = max(cover, halo * halo * 0.55);
    tint = mix(ONLINE, vec3(1.0), heart);
    ground = 0.0;
  } else if (v_status == 1u) {
    float width = max(1.6 * u_ratio, radius * 0.4);
    cover *= isShaped ? 1.0 - clamp(radius - width - away + 0.5, 0.0, 1.0) : 1.0;
    tint = OFFLINE;
  } else {
    cover = isShaped ? clamp(radius - (abs(q.x) + abs(q.y)) * 0.80 + 0.5, 0.0, 1.0) : cover;
    tint = OTHER;
  }
  float alpha = (cover + ground * (1.0 - cover)) * v_look.z;
  if (!isShaped && v_status == 2u) alpha *= 0.35;
  color = vec4((tint * cover + vec3(0.02, 0.03, 0.06) * ground * (1.0 - cover)) * v_look.z, alpha);
}`
