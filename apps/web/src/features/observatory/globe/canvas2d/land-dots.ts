import { dotLattice } from '../dot-lattice.ts'
import { drawLandMask } from '../land-mask.ts'
import type { LandRings } from '../land-rings.ts'

const maskWidthPx = 720
const maskHeightPx = maskWidthPx / 2
const bytesPerPixel = 4
const half = 128

/** The lattice's dots that lie on land, as unit vectors one after another. */
export function landDots(rings: LandRings): Float32Array<ArrayBuffer> {
  const mask = drawLandMask(rings, maskWidthPx).getContext('2d')
  if (mask === null) return new Float32Array(0)
  const { data } = mask.getImageData(0, 0, maskWidthPx, maskHeightPx)
  return dotLattice((latRad, lonRad) => {
    const x = Math.floor((lonRad / (2 * Math.PI) + 0.5) * maskWidthPx) % maskWidthPx
    const y = Math.min(maskHeightPx - 1, Math.floor((0.5 - latRad / Math.PI) * maskHeightPx))
    return (data[(y * maskWidthPx + x) * bytesPerPixel] ?? 0) >= half
  })
}
