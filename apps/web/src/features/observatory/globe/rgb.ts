/** Red, green and blue, 0 to 1. */
export type Rgb = readonly [red: number, green: number, blue: number]

/** The colour of a text such as '#22d3ee'. */
export function rgbOf(hex: string): Rgb {
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16) / 255
  return [part(1), part(3), part(5)]
}
