/** One depth layer of the sky. Lengths are in CSS pixels. */
export interface SkyLayer {
  /** Share of all particles, 0 to 1. */
  readonly share: number
  readonly coreRadiusPx: number
  readonly haloRadiusPx: number
  /** Brightness of the core at its brightest, 0 to 1. */
  readonly brightness: number
  /** How far it moves when the page scrolls, as a share of the scrolled distance. */
  readonly scrollShare: number
  /** How far it shifts when the pointer moves from the middle to the edge. */
  readonly pointerPx: number
  readonly driftPxPerS: number
}

/**
 * From far to near. Nearer stars are larger, brighter, rarer and move more. The brightness of the largest
 * is limited by the contrast of the smallest text above it, which a browser test measures.
 */
export const skyLayers: readonly SkyLayer[] = [
  {
    share: 0.6,
    coreRadiusPx: 0.85,
    haloRadiusPx: 2,
    brightness: 0.6,
    scrollShare: 0.012,
    pointerPx: 3,
    driftPxPerS: 0.35,
  },
  {
    share: 0.29,
    coreRadiusPx: 1.15,
    haloRadiusPx: 5,
    brightness: 0.82,
    scrollShare: 0.03,
    pointerPx: 7,
    driftPxPerS: 0.8,
  },
  {
    share: 0.11,
    coreRadiusPx: 1.25,
    haloRadiusPx: 18,
    brightness: 1,
    scrollShare: 0.06,
    pointerPx: 14,
    driftPxPerS: 1.5,
  },
]

/** Star colours as RGB. The first is by far the most frequent. */
export const starTints: readonly (readonly [red: number, green: number, blue: number])[] = [
  [226, 236, 255],
  [134, 229, 250],
  [196, 181, 253],
  [255, 214, 170],
]
