const fewest = 90
const most = 220
/** One particle per square of 100 px a side. More looks restless, fewer looks empty. */
const areaPxEach = 10_000

/** Number of particles for a screen. Width and height are in CSS pixels. */
export function particleCount(widthPx: number, heightPx: number): number {
  const wanted = Math.round((widthPx * heightPx) / areaPxEach)
  return Math.min(most, Math.max(fewest, wanted))
}
