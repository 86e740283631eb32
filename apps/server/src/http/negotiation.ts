import { createHash } from 'node:crypto'

/** An ETag of content, or of everything that the content is made from. */
export function etagOf(content: string | Uint8Array): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
}

/**
 * Whether If-None-Match names this ETag. The comparison is weak, because proxies that compress mark ETags
 * as weak (RFC 9110, 13.1.2).
 */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const names = ifNoneMatch.split(',').map((name) => name.trim().replace(/^W\//, ''))
  return names.includes(etag) || ifNoneMatch.trim() === '*'
}

/** Whether Accept-Encoding lists this encoding without refusing it (RFC 9110, 12.5.3). */
export function acceptsEncoding(acceptEncoding: string | undefined, encoding: string): boolean {
  for (const item of (acceptEncoding ?? '').toLowerCase().split(',')) {
    const [name, weight] = item.split(';')
    if (name?.trim() !== encoding) continue
    const [, value] = /^\s*q=([\d.]+)\s*$/.exec(weight ?? '') ?? []
    return value === undefined || Number(value) > 0
  }
  return false
}
