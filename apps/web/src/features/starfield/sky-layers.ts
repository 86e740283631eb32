/** One of the depths that the sky is made of. Lengths in CSS pixels. */
export interface SkyLayer {
  /** Of all particles, 0 to 1. */
  readonly share: number
  readonly coreRadiusPx: number
  readonly haloRadiusPx: number
  /** Of the core at its brightest, 0 to 1. */
  readonly brightness: number
  /** How far it follows when the page is scrolled, of the scrolled way. */
  readonly scrollShare: number
  /** How far it gives way when the pointer goes from the middle to the edge. */
  readonly pointerPx: number
  readonly driftPxPerS: number
}

/**
 * From the farthest to the nearest: what is nearer is larger, brighter, rarer and moves more. The
 * largest is as bright as the smallest text above it can bear (a browser test measures that).
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

/** Colours of the stars as RGB, the first by far the most frequent. */
export const starTints: readonly (readonly [red: number, green: number, blue: number])[] = [
  [226, 236, 255],
  [134, 229, 250],
  [196, 181, 253],
  [255, 214, 170],
]
