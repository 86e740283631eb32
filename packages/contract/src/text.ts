/** Length in Unicode code points: an emoji of one code point counts once. */
export function codePointLength(text: string): number {
  let length = 0
  for (const _ of text) length += 1
  return length
}

/** Characters that draw nothing: U+2800 is a Braille pattern without a dot. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{C}\p{M}\u2800]/gu

/**
 * No script puts as many marks on a letter. NFC takes a second of CPU time for tens of thousands in a row.
 */
const manyMarks = /\p{M}{32}/u

/**
 * A short text for others to read: NFC, without the invisible characters that reorder neighbouring text,
 * trimmed; empty if nothing of it is visible. Returns undefined for control characters, lone surrogates or
 * piles of marks.
 */
export function normalizeShortText(text: string): string | undefined {
  if (!text.isWellFormed() || /\p{Cc}/u.test(text)) return undefined
  const plain = text.replace(/\p{Bidi_Control}/gu, '')
  if (manyMarks.test(plain)) return undefined
  const normal = plain.normalize('NFC').trim()
  return normal.replace(invisible, '') === '' ? '' : normal
}

/**
 * A text of several lines for others to read. Like a short one, but with line breaks, all of them `\n`, and
 * at most one empty line in a row. Tabs become spaces.
 */
export function normalizeLongText(text: string): string | undefined {
  if (!text.isWellFormed()) return undefined
  const lines = text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ')
    .split('\n')
    .map(normalizeShortText)
  if (lines.includes(undefined)) return undefined
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
