interface TextPart {
  readonly text: string
  /** Its offset in the text. */
  readonly at: number
}

/** An address up to the space, quote or bracket that ends it. */
const address = /https?:\/\/[^\s<>"'()[\]{}]+/g
/** Punctuation that ends a sentence, and rarely an address. */
const sentenceEnd = /[.,;:!?…]+$/

/** Splits a text into web addresses and the text between them. Joined, the parts are the text. */
export function splitAtLinks(text: string): readonly TextPart[] {
  const parts: TextPart[] = []
  let from = 0
  for (const match of text.matchAll(address)) {
    const link = match[0].replace(sentenceEnd, '')
    if (match.index > from) parts.push({ text: text.slice(from, match.index), at: from })
    parts.push({ text: link, at: match.index })
    from = match.index + link.length
  }
  if (from < text.length) parts.push({ text: text.slice(from), at: from })
  return parts
}
