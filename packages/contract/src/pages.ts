/** The paths that are screens of the web app; the server answers them with its HTML. */
export const pages = {
  landing: '/',
  explore: '/explore',
  discover: '/discover',
  observatory: '/observatory',
  account: '/account',
  dashboard: '/dashboard',
  connect: '/connect',
  resetPassword: '/reset-password',
  confirmEmail: '/confirm-email',
  /** Where whoever reads an e-mail address lets alerts come there, and ends that. */
  confirmChannel: '/confirm-channel',
  unsubscribe: '/unsubscribe',
  /** Where an invitation to an island is used. */
  invitation: '/invitation',
  /** Where an island is made. */
  newIsland: '/new-island',
  /** What stands in the logs of all islands. */
  harborLogs: '/harbor-logs',
  /** The guides; one of them is a segment below. */
  library: '/library',
} as const

/** Of the Community Lounge, the island that every installation starts with. */
export const loungeSlug = 'thetravelerstavern'

/** Pages that the build renders to HTML for visitors, once for each kind of site, by path, with the names of their files. */
export const prerenderedPages = {
  [pages.landing]: 'landing.html',
  [pages.explore]: 'explore.html',
  [pages.harborLogs]: 'harbor-logs.html',
} as const

/** The build's HTML for an island's front page, with the addresses of its code. */
export const islandPageFile = 'island.html'

/** The build's rules of its fonts, for pages that the server draws itself. */
export const fontRulesFile = 'fonts.css'

/**
 * An island's front page, the way in to it and its host's settings of it, a device's page, and a guide of
 * the library.
 */
const inner =
  /^\/(?:islands\/[^/]+(?:\/(?:enter|settings))?|devices\/[^/]+|library\/[a-z0-9-]+)\/*$/

/** First segments of what the server answers itself: no slug is one of them. */
export const serverSegments: ReadonlySet<string> = new Set([
  'api',
  'assets',
  '_spark',
  'healthz',
  'readyz',
  'metrics',
  'badges',
  'feeds',
  'embeds',
  // Nobody ever had it: slugs keep it for the site since there are any.
  'status',
])

/**
 * What a path is as it was asked for, percent-encoded: a page that the web app draws or leads on from, as
 * it does from every slug, whatever its characters and however many slashes end it; the server's own,
 * which is never a page; or neither.
 */
export function pathKind(path: string): 'page' | 'server' | 'unknown' {
  const [, first, rest = ''] = /^\/([^/]*)(.*)$/s.exec(path) ?? []
  if (first === undefined) return 'unknown'
  if (serverSegments.has(first)) return 'server'
  return inner.test(path) || /^\/*$/.test(rest) ? 'page' : 'unknown'
}
