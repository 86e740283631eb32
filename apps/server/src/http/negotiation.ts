import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

export function etagOf(content: string | Uint8Array): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
}

/** Weak comparison, because proxies that compress mark ETags as weak (RFC 9110, 13.1.2). */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const names = ifNoneMatch.split(',').map((name) => name.trim().replace(/^W\//, ''))
  return names.includes(etag) || ifNoneMatch.trim() === '*'
}

/** RFC 9110, 12.5.3. */
export function acceptsEncoding(acceptEncoding: string | undefined, encoding: string): boolean {
  const item = weighted(acceptEncoding).find(({ name }) => name === encoding)
  return item !== undefined && item.weight > 0
}

/**
 * RFC 9110, 12.5.4: the first of these languages that the browser's user prefers, by its main part, so
 * that `de-AT` is `de`.
 */
export function acceptedLanguage<Language extends string>(
  acceptLanguage: string | undefined,
  languages: readonly Language[],
): Language | undefined {
  const wanted = weighted(acceptLanguage).toSorted((one, other) => other.weight - one.weight)
  for (const { name, weight } of wanted) {
    const language = languages.find((each) => name === each || name.startsWith(`${each}-`))
    if (language !== undefined && weight > 0) return language
  }
  return undefined
}

/** The items of a list with weights, as requested. */
function weighted(list: string | undefined): { name: string; weight: number }[] {
  return (list ?? '')
    .toLowerCase()
    .split(',')
    .map((item) => {
      const [name = '', weight = ''] = item.split(';')
      const [, value = '1'] = /^\s*q=([\d.]+)\s*$/.exec(weight) ?? []
      return { name: name.trim(), weight: Number(value) }
    })
}

/** Whether a browser asks for a page to show, rather than a script for data. */
export function isPageNavigation(headers: IncomingHttpHeaders): boolean {
  const mode = headers['sec-fetch-mode']
  if (mode !== undefined) return mode === 'navigate'
  // Browsers list text/html first when they navigate; fetch and curl accept anything.
  return headers.accept?.trimStart().startsWith('text/html') === true
}
