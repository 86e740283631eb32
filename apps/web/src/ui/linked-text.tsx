import { isCallOn, safeLink } from '@astropelago/contract/devices'
import { Trans } from '@lingui/react/macro'
import { textLinkStyles } from './button-styles.ts'

/** Addresses of calls on this site stay plain, because the author is a stranger. */
export function LinkedText({ children }: { children: string }) {
  return splitAtLinks(children).map(({ text, at }) => {
    const href = safeLink(text)
    if (href === undefined || isCallOn(window.location.host, href)) return text
    return (
      <a key={at} href={href} target="_blank" rel="noopener noreferrer" className={textLinkStyles}>
        <bdi>{text}</bdi>
        <span className="sr-only">
          {' '}
          <Trans>(opens in a new tab)</Trans>
        </span>
      </a>
    )
  })
}

interface TextPart {
  readonly text: string
  /** Its offset in the text. */
  readonly at: number
}

/** An address up to the space, quote or bracket that ends it. */
const address = /https?:\/\/[^\s<>"'()[\]{}]+/g
/** Punctuation that ends a sentence, and rarely an address. */
const sentenceEnd = /[.,;:!?…]+$/

/** Joined, the parts are the text. */
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
