/** A pseudorandom number generator with the same numbers for the same seed on every machine. */
export interface Random {
  /** In [low, high). */
  between: (low: number, high: number) => number
  /** An integer from low to high, both inclusive. */
  whole: (low: number, high: number) => number
  /** True with this probability. */
  chance: (probability: number) => boolean
  pick: <T>(choices: readonly [T, ...T[]]) => T
}

/** The 32-bit FNV-1a hash of a text, as a seed. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 0
}

/**
 * Uses splitmix32.
 * @param seed 32 bits
 */
export function seededRandom(seed: number): Random {
  let state = seed
  const next = () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
  const between = (low: number, high: number) => low + next() * (high - low)
  return {
    between,
    whole: (low, high) => Math.floor(between(low, high + 1)),
    chance: (probability) => next() < probability,
    pick: ([first, ...others]) =>
      [first, ...others][Math.floor(next() * (others.length + 1))] ?? first,
  }
}
