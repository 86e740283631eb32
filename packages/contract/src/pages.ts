/** The paths that are screens of the web app; the server answers them with its HTML. */
export const pages = {
  landing: '/',
  explore: '/explore',
  discover: '/discover',
  observatory: '/observatory',
  account: '/account',
  dashboard: '/dashboard',
  connect: '/connect',
} as const

/** Pages that the build renders to HTML for visitors, by path, with the names of their files. */
export const prerenderedPages = {
  [pages.landing]: 'landing.html',
  [pages.explore]: 'explore.html',
} as const

/** One segment without a dot may be a slug; a dot marks a file such as robots.txt. */
export const slugPattern = /^\/[A-Za-z0-9_-]{1,64}\/?$/

const reserved = new Set(['/api', '/assets', '/_spark', '/healthz', '/readyz', '/metrics'])

/** Whether a path is one that the web app draws, a slug included. */
export function isPagePath(path: string): boolean {
  return (
    path === pages.landing || (slugPattern.test(path) && !reserved.has(path.replace(/\/$/, '')))
  )
}
