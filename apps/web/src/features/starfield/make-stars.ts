import { seededRandom } from './seeded-random.ts'

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

/** From far to near. A browser test of the smallest text's contrast limits the brightness. */
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

export interface Star {
  /** Share of the sky's width and height, 0 to 1. */
  readonly x: number
  readonly y: number
  /** Index into skyLayers. */
  readonly layer: number
  /** Index into starTints. */
  readonly tint: number
  /** Greatest brightness, 0 to 1. */
  readonly brightness: number
  /** Share of the brightness lost at the dimmest point of the twinkle, 0 to 1. */
  readonly twinkle: number
  readonly twinkleRadPerS: number
  readonly phaseRad: number
}

const seed = 20_260_714
const tintedShare = 0.3
/** How far a star may be from its place in the even spread. Without jitter the spread looks like a grid. */
const jitter = 0.07

/**
 * The first `count` stars of a sky that is always the same, farthest first, so that near ones are drawn on
 * top. The places follow the R2 sequence (Martin Roberts, 2018). Every prefix of it is spread evenly, so no
 * screen has an empty corner.
 */
export function makeStars(count: number): readonly Star[] {
  const random = seededRandom(seed)
  const plastic = 1.324717957244746
  const stars = Array.from({ length: count }, (_, index): Star => {
    const layer = pickLayer(random())
    const { brightness } = skyLayers[layer] ?? { brightness: 1 }
    return {
      x: fraction(0.5 + index / plastic + jitter * (random() - 0.5)),
      y: fraction(0.5 + index / plastic ** 2 + jitter * (random() - 0.5)),
      layer,
      tint: random() < tintedShare ? 1 + Math.floor(random() * (starTints.length - 1)) : 0,
      brightness: brightness * (0.65 + 0.35 * random()),
      twinkle: 0.25 + 0.5 * random(),
      // One twinkle takes 4 to 12 seconds.
      twinkleRadPerS: (2 * Math.PI) / (4 + 8 * random()),
      phaseRad: 2 * Math.PI * random(),
    }
  })
  return stars.toSorted((one, other) => one.layer - other.layer)
}

function pickLayer(chance: number): number {
  let left = chance
  for (const [index, { share }] of skyLayers.entries()) {
    left -= share
    if (left < 0) return index
  }
  return 0
}

function fraction(value: number): number {
  return value - Math.floor(value)
}
