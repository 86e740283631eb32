/**
 * Whether If-None-Match names this ETag. The comparison is weak, since proxies that compress mark
 * ETags as weak (RFC 9110, 13.1.2).
 */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const names = ifNoneMatch.split(',').map((name) => name.trim().replace(/^W\//, ''))
  return names.includes(etag) || ifNoneMatch.trim() === '*'
}

/** Whether Accept-Encoding names gzip without refusing it (RFC 9110, 12.5.3). */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  const [, weight] = /(?:^|,)\s*gzip\s*(?:;\s*q=([\d.]+))?\s*(?:,|$)/i.exec(
    acceptEncoding ?? '',
  ) ?? ['', '0']
  return weight === undefined || Number(weight) > 0
}
