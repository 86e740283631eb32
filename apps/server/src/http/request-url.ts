/**
 * The address by which a route is looked up.
 * A path that can't be percent-decoded, or that contains NUL, is taken literally and then leads nowhere
 * like other unknown paths. Fastify's own refusal has neither our headers nor our error's shape. A call of
 * the API may end with a slash.
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
    // The key-value routes refuse an impossible key by themselves.
    return decodeURIComponent(path).includes('\0') && !path.startsWith('/_spark/')
  } catch {
    return true
  }
}
