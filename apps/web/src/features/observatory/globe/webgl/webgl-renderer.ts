import type { GlobeRenderer } from '../globe-scene.ts'
import { createNodeLayer } from './node-layer.ts'
import { createPlanetLayer } from './planet-layer.ts'
import { createStrokeLayer } from './stroke-layer.ts'

/** The shaders smooth edges, and nothing is hidden by depth, so neither buffer is needed. */
export const contextAttributes: WebGLContextAttributes = {
  alpha: false,
  antialias: false,
  depth: false,
  stencil: false,
}

/**
 * Three draw calls per frame: planet, nodes, strokes.
 * @throws Error if the driver refuses a shader
 */
export function createWebglRenderer(gl: WebGL2RenderingContext): GlobeRenderer {
  const planet = createPlanetLayer(gl)
  const nodes = createNodeLayer(gl)
  const strokes = createStrokeLayer(gl)
  // The shaders output premultiplied colours.
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
  return {
    setNodes: (columns) => nodes.setNodes(columns),
    setStatuses: (columns, indexes) => nodes.setStatuses(columns, indexes),
    setGroups: (columns, groupOf) => nodes.setGroups(columns, groupOf),
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
