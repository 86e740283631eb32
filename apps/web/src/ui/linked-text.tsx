import { isCallOn, safeLink } from '@astropelago/contract/devices'
import { splitAtLinks } from './split-at-links.ts'

/**
 * Plain text with linked addresses. Addresses of calls on this site stay plain, because the author is a
 * stranger.
 */
export function LinkedText({ children }: { children: string }) {
  return splitAtLinks(children).map(({ text, at }) => {
    const href = safeLink(text)
    if (href === undefined || isCallOn(window.location.host, href)) return text
    return (
      <a
        key={at}
        href={href}
        target="_blank"
        rel="noopener noreferrer"
        className="text-accent underline decoration-transparent underline-offset-4 transition-colors hover:decoration-current"
      >
        <bdi>{text}</bdi>
        <span className="sr-only"> (opens in a new tab)</span>
      </a>
    )
  })
}
