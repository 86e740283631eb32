/** Length in Unicode code points: an emoji of one code point counts once. */
export function codePointLength(text: string): number {
  let length = 0
  for (const _ of text) length += 1
  return length
}

/**
 * A short text for others to read: NFC, without the invisible characters that reorder
 * neighbouring text, trimmed. Returns undefined for control characters or lone surrogates.
 */
export function normalizeShortText(text: string): string | undefined {
  if (!text.isWellFormed() || /\p{Cc}/u.test(text)) return undefined
  return text
    .replace(/\p{Bidi_Control}/gu, '')
    .normalize('NFC')
    .trim()
}
