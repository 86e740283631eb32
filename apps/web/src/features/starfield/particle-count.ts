const fewest = 90
const most = 220
/** One particle for a square of 100 px a side: dense enough to be a sky, sparse enough to be calm. */
const areaPxEach = 10_000

/** How many particles a screen gets; width and height in CSS pixels. */
export function particleCount(widthPx: number, heightPx: number): number {
  const wanted = Math.round((widthPx * heightPx) / areaPxEach)
  return Math.min(most, Math.max(fewest, wanted))
}
