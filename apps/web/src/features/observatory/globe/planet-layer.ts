import { createProgram, uniformLocations } from '../drawing/gl-program.ts'
import type { GlobeScene } from './globe-scene.ts'
import { drawLandMask, type LandRings, latticeDeg } from './land.ts'
import { regionDeg } from './region.ts'

/** 5.7 texels a degree. A coastline of 1:110 million has no finer detail. 2.8 MB with its mip levels. */
const maskWidthPx = 2048

const uniforms = ['u_disc', 'u_axes', 'u_sky', 'u_land', 'u_region', 'u_mask_lod'] as const

export function createPlanetLayer(gl: WebGL2RenderingContext) {
  const program = createProgram(gl, planetVertexShader, planetFragmentShader)
  const uniform = uniformLocations(gl, program, uniforms)
  const bare = gl.createVertexArray()
  const mask = gl.createTexture()
  let hasLand = false

  return {
    setLand(rings: LandRings) {
      gl.bindTexture(gl.TEXTURE_2D, mask)
      gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1)
      const image = drawLandMask(rings, maskWidthPx)
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8, gl.RED, gl.UNSIGNED_BYTE, image)
      gl.generateMipmap(gl.TEXTURE_2D)
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_NEAREST)
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR)
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE)
      hasLand = true
    },
    draw({ projection, pixelRatio, heightPx, skyShare, landShare, region }: GlobeScene) {
      const { centreXPx, centreYPx, radiusPx, axes } = projection
      const radius = radiusPx * pixelRatio
      gl.useProgram(program)
      gl.bindVertexArray(bare)
      gl.bindTexture(gl.TEXTURE_2D, mask)
      const up = (heightPx - centreYPx) * pixelRatio
      gl.uniform3f(uniform('u_disc'), centreXPx * pixelRatio, up, radius)
      gl.uniformMatrix3fv(uniform('u_axes'), false, axes)
      gl.uniform1f(uniform('u_sky'), skyShare)
      gl.uniform1f(uniform('u_land'), hasLand ? landShare : 0)
      // One level above the one with texels the size of pixels: soft enough for a smooth coastline.
      const texelsPerPixel = maskWidthPx / (2 * Math.PI * radius)
      gl.uniform1f(uniform('u_mask_lod'), Math.max(1.4, Math.log2(texelsPerPixel) + 1))
      setRegion(region)
      gl.disable(gl.BLEND)
      gl.drawArrays(gl.TRIANGLES, 0, 3)
    },
    dispose() {
      gl.deleteTexture(mask)
      gl.deleteVertexArray(bare)
      gl.deleteProgram(program)
    },
  }

  function setRegion(region: GlobeScene['region']) {
    if (region === undefined) {
      gl.uniform4f(uniform('u_region'), 1, 0, 0, 0)
      return
    }
    const band = (regionDeg * Math.PI) / 180
    const south = region.latBand * band - Math.PI / 2
    const west = region.lonBand * band - Math.PI
    gl.uniform4f(uniform('u_region'), south, west, south + band, west + band)
  }
}

/** One triangle that covers the canvas. It needs no buffer. */
const planetVertexShader = `#version 300 es
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0;
  gl_Position = vec4(corner, 0.0, 1.0);
}`

/**
 * Space, air and the planet. For each pixel the shader finds the place on the sphere, then what is there.
 * Lengths are in device pixels, the y axis points up, and angles are radians.
 *
 * - u_disc: centre and radius; u_axes: columns to the right, to the top, to the visitor
 * - u_region: south, west, north, east; empty if south is north of north
 * - Land dots that are too close for the screen's resolution blend into their average.
 * - Grid lines are one pixel wide: alongX and alongY are the change of the place from one pixel to the
 *   next, which gives the rates of latitude and longitude.
 * - Air seen edge-on is brighter on the sun's side; the other side fades into night.
 * - Noise of half a colour step keeps dark gradients from banding.
 *
 * (The comments are here because comments inside the shader would be sent to every visitor.)
 */
const planetFragmentShader = `#version 300 es
precision highp float;

uniform vec3 u_disc;
uniform mat3 u_axes;
uniform float u_sky;
uniform float u_land;
uniform vec4 u_region;
uniform sampler2D u_mask;
uniform float u_mask_lod;
out vec4 color;

const float PI = 3.14159265;
const float LATTICE = ${(latticeDeg * Math.PI) / 180};
const float CELL = PI / 6.0;
const vec3 SUN = vec3(-0.584, 0.487, 0.650);
const vec3 GROUND = vec3(0.0145, 0.0205, 0.0430);
const vec3 CYAN = vec3(0.133, 0.827, 0.933);

float mask(float lat, float lon, float lod) {
  return textureLod(u_mask, vec2(lon / (2.0 * PI) + 0.5, 0.5 - lat / PI), lod).r;
}
float line(float distance) {
  return clamp(1.0 - distance, 0.0, 1.0);
}

vec3 space(vec2 p, float r) {
  float toSun = dot(p, SUN.xy);
  vec3 c = GROUND + vec3(0.010, 0.035, 0.058) * exp(-0.55 * max(r * r - 0.8 * toSun, 0.0));
  float reach = mix(9.0, 5.5, u_sky);
  float side = 0.5 + 0.62 * toSun / max(r, 0.001);
  float air = exp(-reach * max(r - 1.0, 0.0));
  float rim = exp(-42.0 * max(r - 1.0, 0.0));
  return c + CYAN * (air * 0.30 + rim * 0.34) * side * side;
}

vec3 surface(vec2 p, float r2) {
  float front = sqrt(max(1.0 - r2, 0.0001));
  vec3 seen = vec3(p, front);
  vec3 w = u_axes * seen;
  float lat = asin(clamp(w.y, -1.0, 1.0));
  float lon = atan(w.x, w.z);
  float pixel = 1.0 / u_disc.z;
  float tilted = pixel / max(front, 0.12);

  float light = dot(seen, SUN);
  float day = smoothstep(-0.45, 0.95, light);
  vec3 c = mix(vec3(0.014, 0.026, 0.055), vec3(0.045, 0.165, 0.275), day * day);

  if (u_land > 0.0) {
    float soft = mask(lat, lon, u_mask_lod);
    float filled = smoothstep(0.38, 0.62, soft);
    float coast = 1.0 - clamp(abs(soft - 0.5) * 2.6, 0.0, 1.0);

    float row = floor(lat / LATTICE) + 0.5;
    float dotLat = row * LATTICE;
    float inRow = max(1.0, floor(2.0 * PI * cos(dotLat) / LATTICE));
    float shift = 0.5 * mod(row - 0.5, 2.0);
    float dotLon = (floor((lon + PI) / (2.0 * PI) * inRow + shift) + 0.5 - shift) / inRow * 2.0 * PI - PI;
    vec3 dotAt = vec3(cos(dotLat) * sin(dotLon), sin(dotLat), cos(dotLat) * cos(dotLon));
    float away = length(w - dotAt);
    float isDot = 1.0 - smoothstep(LATTICE * 0.33 - tilted * 0.6, LATTICE * 0.33 + tilted * 0.6, away);
    isDot *= step(0.5, mask(dotLat, dotLon, 0.0));
    float fine = smoothstep(2.2, 4.0, LATTICE / tilted);
    float lattice = mix(filled * 0.34, isDot, fine);

    vec3 earth = mix(vec3(0.060, 0.105, 0.170), vec3(0.330, 0.600, 0.720), day);
    c = mix(c, earth, u_land * filled * mix(0.16, 0.20, day));
    c = mix(c, earth, u_land * coast * mix(0.10, 0.22, day));
    c = mix(c, earth * 1.06, u_land * lattice * mix(0.62, 0.78, day));
  }
  vec2 slope = -p / front;
  vec3 alongX = u_axes[0] + u_axes[2] * slope.x;
  vec3 alongY = u_axes[1] + u_axes[2] * slope.y;
  float flat2 = max(w.x * w.x + w.z * w.z, 0.0001);
  float latRate = length(vec2(alongX.y, alongY.y)) / sqrt(flat2) * pixel;
  float lonRate = length(vec2(w.z * alongX.x - w.x * alongX.z, w.z * alongY.x - w.x * alongY.z)) / flat2 * pixel;
  float toLat = abs(fract(lat / CELL + 0.5) - 0.5) * CELL / latRate;
  float toLon = abs(fract(lon / CELL + 0.5) - 0.5) * CELL / lonRate;
  float grid = max(line(toLat), line(toLon) * smoothstep(0.03, 0.12, sqrt(flat2)));
  c += vec3(0.24, 0.45, 0.55) * grid * mix(0.10, 0.20, day) * (1.0 - 0.4 * u_sky);

  bool isInRegion = lat >= u_region.x && lat < u_region.z && lon >= u_region.y && lon < u_region.w;
  if (isInRegion) c += CYAN * 0.13;
  float edge = 1.0 - front;
  float sunlit = smoothstep(-0.25, 0.9, light);
  c += CYAN * (0.55 * edge * edge * edge + 0.07 * edge) * sunlit;
  c += vec3(0.55, 0.85, 0.95) * pow(edge, 9.0) * sunlit * 0.5;
  return mix(c, GROUND, 0.62 * smoothstep(0.25, -0.75, light));
}

void main() {
  vec2 p = (gl_FragCoord.xy - u_disc.xy) / u_disc.z;
  float r2 = dot(p, p);
  float r = sqrt(r2);
  float inside = clamp((1.0 - r) * u_disc.z + 0.5, 0.0, 1.0);
  vec3 c = inside < 1.0 ? space(p, r) : vec3(0.0);
  if (inside > 0.0) c = mix(c, surface(p, min(r2, 0.9999)), inside);
  float noise = fract(sin(dot(gl_FragCoord.xy, vec2(12.9898, 78.233))) * 43758.5453) - 0.5;
  color = vec4(c + noise / 255.0, 1.0);
}`
