import type { GlobeScene } from '../globe-scene.ts'
import { drawLandMask } from '../land-mask.ts'
import type { LandRings } from '../land-rings.ts'
import { regionDeg } from '../region.ts'
import { createProgram } from './create-program.ts'
import { planetFragmentShader, planetVertexShader } from './planet-shader.ts'
import { uniformLocations } from './uniform-locations.ts'

/** 5.7 texels a degree: a coast of 1:110 million has no finer detail. 2.8 MB with its mip levels. */
const maskWidthPx = 2048

const uniforms = ['u_disc', 'u_axes', 'u_sky', 'u_land', 'u_region', 'u_mask_lod'] as const

/** Space, air and planet in one triangle. */
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
      gl.texImage2D(
        gl.TEXTURE_2D,
        0,
        gl.R8,
        gl.RED,
        gl.UNSIGNED_BYTE,
        drawLandMask(rings, maskWidthPx),
      )
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
      gl.uniform3f(
        uniform('u_disc'),
        centreXPx * pixelRatio,
        (heightPx - centreYPx) * pixelRatio,
        radius,
      )
      gl.uniformMatrix3fv(uniform('u_axes'), false, axes)
      gl.uniform1f(uniform('u_sky'), skyShare)
      gl.uniform1f(uniform('u_land'), hasLand ? landShare : 0)
      // One level above the one whose texels are as large as pixels: soft enough for a smooth coast.
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
