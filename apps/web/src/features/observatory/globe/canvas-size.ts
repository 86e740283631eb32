/** More pixels than two for one are not seen. */
const greatestRatio = 2
/**
 * Drawn by software a million pixels takes about 90 ms: the globe of a whole window on a large
 * screen is drawn a little coarser instead of late.
 */
const mostPixels = 2_500_000

/** Device pixels for each CSS pixel of a canvas of this size. */
export function canvasPixelRatio(widthPx: number, heightPx: number, deviceRatio: number): number {
  const affordable = Math.sqrt(mostPixels / Math.max(1, widthPx * heightPx))
  return Math.min(greatestRatio, deviceRatio, affordable)
}
