/**
 * An address whose path can't be percent-decoded is taken literally, so that it goes the way of every
 * other path that names nothing; Fastify's own refusal has neither our headers nor our error's shape.
 */
export function decodableUrl(url: string): string {
  if (!url.includes('%')) return url
  const queryAt = url.indexOf('?')
  const path = queryAt === -1 ? url : url.slice(0, queryAt)
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length)
  }
}
