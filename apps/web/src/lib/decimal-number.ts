/** Undefined for blank text, hexadecimal or a decimal comma. */
export function decimalNumber(text: string): number | undefined {
  const trimmed = text.trim()
  // Number() reads empty text as 0, and accepts the prefixes 0x, 0o and 0b.
  if (trimmed === '' || /^0[box]/i.test(trimmed)) return undefined
  const value = Number(trimmed)
  return Number.isFinite(value) ? value : undefined
}
