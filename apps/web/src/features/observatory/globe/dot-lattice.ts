import { radPerDeg } from './geo-point.ts'

/** Between two dots of land, and between two rows of them. */
export const latticeDeg = 1.5

/**
 * The lattice that the shader finds for each pixel by itself: rows along the latitudes, in each as
 * many dots as fit, every other row shifted by half a step. Unit vectors, one after another.
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
      dots.push(Math.cos(lat) * Math.sin(lon), Math.sin(lat), Math.cos(lat) * Math.cos(lon))
    }
  }
  return Float32Array.from(dots)
}
