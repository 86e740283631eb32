interface TextPart {
  readonly text: string
  /** Where it begins. */
  readonly at: number
}

/** An address up to the blank, quote or bracket that ends it. */
const address = /https?:\/\/[^\s<>"'()[\]{}]+/g
/** What ends a sentence and seldom an address. */
const sentenceEnd = /[.,;:!?…]+$/

/** A text in parts, of which each web address is one; put together they are the text. */
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
