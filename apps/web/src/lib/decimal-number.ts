/** A number as a person types it, or undefined: blank, hexadecimal and a decimal comma are none. */
export function decimalNumber(text: string): number | undefined {
  const trimmed = text.trim()
  // Number() reads an empty text as 0, and 0x, 0o and 0b as other bases.
  if (trimmed === '' || /^0[box]/i.test(trimmed)) return undefined
  const value = Number(trimmed)
  return Number.isFinite(value) ? value : undefined
}
