import { radPerDeg, writeUnitVector } from '../../geometry/unit-vector.ts'
import { drawLandMask, type LandRings, latticeDeg } from '../land.ts'

/**
 * The same lattice that the shader computes per pixel: rows along the latitudes, each with as many dots as
 * fit, every other row shifted by half a step. The result is unit vectors in a row.
 */
export function dotLattice(
  isLand: (latRad: number, lonRad: number) => boolean,
): Float32Array<ArrayBuffer> {
  const step = latticeDeg * radPerDeg
  const rows = Math.round(90 / latticeDeg)
  const dots: number[] = []
  for (let row = -rows; row < rows; row++) {
    const lat = (row + 0.5) * step
    const inRow = Math.max(1, Math.floor((2 * Math.PI * Math.cos(lat)) / step))
    const shift = row % 2 === 0 ? 0 : 0.5
    for (let i = 0; i < inRow; i++) {
      const lon = ((i + 0.5 - shift) / inRow) * 2 * Math.PI - Math.PI
      if (!isLand(lat, lon)) continue
      writeUnitVector(dots, dots.length, lat / radPerDeg, lon / radPerDeg)
    }
  }
  return Float32Array.from(dots)
}

const maskWidthPx = 720
const maskHeightPx = maskWidthPx / 2
const bytesPerPixel = 4
const half = 128

/** The lattice's dots on land, as unit vectors in a row. */
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
