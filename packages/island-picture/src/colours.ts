import type { Random } from './seeded-random.ts'

type Lab = readonly [lightness: number, a: number, b: number]

/**
 * The colours of unlit rock, and of windows and lamps: a warmer version of the web app's background, and
 * its text colour.
 */
const night = toLab('#0b0a1f')
export const lightColour = '#e8edf7'
const light = toLab(lightColour)
export const waterColour = '#67e8f9'

/** Violet is the islands' colour in the web app, so it occurs more often than the others. */
const hues = [
  '#a78bfa',
  '#a78bfa',
  '#a78bfa',
  '#8b9dfa',
  '#8b9dfa',
  '#c98bf2',
  '#6fb4f2',
  '#5cc4c4',
  '#ee8dba',
  '#e9b27c',
] as const

/** The shades of an island's colour. */
export class Paint {
  readonly #colour: Lab

  constructor(random: Random) {
    this.#colour = toLab(random.pick(hues))
  }

  /** From 0, the night, through 1, the colour itself, to 2, light. */
  shade(tone: number): string {
    if (tone <= 1) return toHex(mix(night, this.#colour, Math.max(tone, 0)))
    return toHex(mix(this.#colour, light, Math.min(tone - 1, 1)))
  }
}

function mix(from: Lab, to: Lab, share: number): Lab {
  const between = (a: number, b: number) => a + (b - a) * share
  return [between(from[0], to[0]), between(from[1], to[1]), between(from[2], to[2])]
}

// Oklab, by Björn Ottosson: https://bottosson.github.io/posts/oklab/

function toLab(hex: string): Lab {
  const linear = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  const [red, green, blue] = [linear(1), linear(3), linear(5)]
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

function toHex([lightness, a, b]: Lab): string {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const channels = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
  const digits = channels.map((linear) => {
    const value = linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055
    return Math.round(Math.min(Math.max(value, 0), 1) * 255)
      .toString(16)
      .padStart(2, '0')
  })
  return `#${digits.join('')}`
}
