/**
 * The address to look a route up by.
 *
 * One whose path can't be percent-decoded, or has a NUL in it, which no file's name has, is taken
 * literally, so that it goes the way of every other path that names nothing; Fastify's own refusal has
 * neither our headers nor our error's shape. A call of the API may end with a slash.
 */
export function requestUrl(url: string): string {
  const path = url.split('?', 1)[0] ?? url
  const query = url.slice(path.length)
  if (namesNothing(path)) return path.replaceAll('%', '%25') + query
  return /^\/api\/(?!docs\/).+\/$/.test(path) ? path.slice(0, -1) + query : url
}

function namesNothing(path: string): boolean {
  if (!path.includes('%')) return false
  try {
    // A key that can't be one is the key-value routes' to refuse.
    return decodeURIComponent(path).includes('\0') && !path.startsWith('/_spark/')
  } catch {
    return true
  }
}
