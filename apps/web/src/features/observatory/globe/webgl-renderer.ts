import type { GlobeRenderer, GlobeScene } from './globe-scene.ts'
import { createPlanetLayer } from './planet-layer.ts'
import { createStrokeLayer } from './stroke-layer.ts'
import { leastShapedRadiusPx } from '../drawing/node-style.ts'
import { uniformLocations } from '../drawing/gl-program.ts'
import { createNodePoints, readShown, tintReachPx } from '../drawing/node-points.ts'
import { type NodeColumns, tintsOf } from '../nodes/node-columns.ts'

/** The shaders smooth edges, and nothing is hidden by depth, so neither buffer is needed. */
export const contextAttributes: WebGLContextAttributes = {
  alpha: false,
  antialias: false,
  depth: false,
  stencil: false,
}

/** @throws Error if the driver refuses a shader */
export function createWebglRenderer(gl: WebGL2RenderingContext): GlobeRenderer {
  const planet = createPlanetLayer(gl)
  const nodes = createNodeLayer(gl)
  const strokes = createStrokeLayer(gl)
  // The shaders output premultiplied colours.
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
  return {
    setNodes: nodes.setNodes,
    setStatuses: nodes.setStatuses,
    setGroups: nodes.setGroups,
    setLand: (rings) => planet.setLand(rings),
    draw(scene) {
      gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight)
      planet.draw(scene)
      nodes.draw(scene)
      strokes.draw(scene)
    },
    dispose() {
      planet.dispose()
      nodes.dispose()
      strokes.dispose()
    },
  }
}

/** A point for each node, in device pixels. u_looks has the core radius, halo and alpha of each style. */
const nodeVertexShader = `#version 300 es
precision highp float;

uniform vec2 u_size;
uniform vec3 u_disc;
uniform mat3 u_axes;
uniform vec3 u_looks[6];
uniform float u_ratio;
in vec3 a_unit;
in uint a_shown;
out vec3 v_look;
out float v_side;
flat out uint v_status;
flat out uint v_tint;

void main() {
  vec3 seen = a_unit * u_axes;
  if (seen.z < 0.0) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = 1.0;
    return;
  }
  ${readShown}
  v_look.z *= 0.45 + 0.55 * smoothstep(0.0, 0.25, seen.z);
  float ground = v_look.x > ${leastShapedRadiusPx.toFixed(1)} * u_ratio ? (v_tint > 0u ? ${tintReachPx} : 2.5) * u_ratio : 0.0;
  v_side = 2.0 * (v_look.x + max(v_look.y, ground) + 0.5);
  gl_PointSize = v_side;
  gl_Position = vec4((u_disc.xy + u_disc.z * seen.xy) / u_size * 2.0 - 1.0, 0.0, 1.0);
}`

function createNodeLayer(gl: WebGL2RenderingContext) {
  const points = createNodePoints(gl, {
    vertexShader: nodeVertexShader,
    position: { name: 'a_unit', size: 3 },
  })
  const uniform = uniformLocations(gl, points.program, ['u_size', 'u_disc', 'u_axes'])

  return {
    setNodes: (columns: NodeColumns) =>
      points.setNodes(columns.unit, columns.status, tintsOf(columns)),
    setStatuses: ({ status }: NodeColumns, indexes: Uint32Array) =>
      points.setStatuses(status, indexes),
    setGroups: ({ status }: NodeColumns, groupOf: Uint32Array | undefined) =>
      points.setGroups(status, groupOf),
    draw({ projection, pixelRatio, widthPx, heightPx, nodeStyle }: GlobeScene) {
      const { centreXPx, centreYPx, radiusPx, axes } = projection
      if (points.count === 0) return
      points.use(nodeStyle, pixelRatio)
      gl.uniform2f(uniform('u_size'), widthPx * pixelRatio, heightPx * pixelRatio)
      const up = (heightPx - centreYPx) * pixelRatio
      gl.uniform3f(uniform('u_disc'), centreXPx * pixelRatio, up, radiusPx * pixelRatio)
      gl.uniformMatrix3fv(uniform('u_axes'), false, axes)
      gl.enable(gl.BLEND)
      points.draw()
    },
    dispose: () => points.dispose(),
  }
}
