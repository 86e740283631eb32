import { seededRandom } from './seeded-random.ts'
import { skyLayers, starTints } from './sky-layers.ts'

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
/** Share of stars that are not white. */
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
