/** More pixels than two for one are not seen. */
const greatestRatio = 2
/**
 * So many pixels take a quarter of a second where two busy cores draw them by software: a globe as
 * large as a big screen is drawn a little coarser instead of later still.
 */
const mostPixels = 2_500_000

/** Device pixels for each CSS pixel of a canvas of this size. */
export function canvasPixelRatio(widthPx: number, heightPx: number, deviceRatio: number): number {
  const affordable = Math.sqrt(mostPixels / Math.max(1, widthPx * heightPx))
  return Math.min(greatestRatio, deviceRatio, affordable)
}
