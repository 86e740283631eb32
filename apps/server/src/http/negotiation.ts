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
  for (const item of (acceptEncoding ?? '').toLowerCase().split(',')) {
    const [name, weight] = item.split(';')
    if (name?.trim() !== encoding) continue
    const [, value] = /^\s*q=([\d.]+)\s*$/.exec(weight ?? '') ?? []
    return value === undefined || Number(value) > 0
  }
  return false
}

/** Whether a browser asks for a page to show, rather than a script for data. */
export function isPageNavigation(headers: IncomingHttpHeaders): boolean {
  const mode = headers['sec-fetch-mode']
  if (mode !== undefined) return mode === 'navigate'
  // Browsers list text/html first when they navigate; fetch and curl accept anything.
  return headers.accept?.trimStart().startsWith('text/html') === true
}
