/** The paths of the web app's screens. The server answers them with its HTML. */
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
  /** Where the readers of an e-mail address allow alerts to it, and end them. */
  confirmChannel: '/confirm-channel',
  unsubscribe: '/unsubscribe',
  /** Where an invitation to an island is used. */
  invitation: '/invitation',
  /** Where an island is made. */
  newIsland: '/new-island',
  /** The logs of all islands. */
  harborLogs: '/harbor-logs',
  /** The guides. Each one is a segment below this. */
  library: '/library',
} as const

/** The slug of the Community Lounge, the island that every installation starts with. */
export const loungeSlug = 'thetravelerstavern'

/**
 * Pages that the build renders to HTML for visitors, once for each kind of site, by path, with their file
 * names.
 */
export const prerenderedPages = {
  [pages.landing]: 'landing.html',
  [pages.explore]: 'explore.html',
  [pages.harborLogs]: 'harbor-logs.html',
} as const

/** The build's HTML for an island's front page, with the addresses of its code. */
export const islandPageFile = 'island.html'

/** The build's CSS rules for its fonts, for pages that the server draws itself. */
export const fontRulesFile = 'fonts.css'

/** An island's front page, its entrance and its settings, a device's page, and a guide of the Library. */
const inner =
  /^\/(?:islands\/[^/]+(?:\/(?:enter|settings))?|devices\/[^/]+|library\/[a-z0-9-]+)\/*$/

/** First path segments that the server answers itself. No slug may be one of them. */
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
  // It was reserved before any slugs existed, so no island has it.
  'status',
])

/**
 * The kind of a path as requested, percent-encoded. `page`: the web app draws it or redirects from it, as
 * it does for every slug, whatever its characters and however many slashes end it. `server`: the server's
 * own, never a page.
 */
export function pathKind(path: string): 'page' | 'server' | 'unknown' {
  const [, first, rest = ''] = /^\/([^/]*)(.*)$/s.exec(path) ?? []
  if (first === undefined) return 'unknown'
  if (serverSegments.has(first)) return 'server'
  return inner.test(path) || /^\/*$/.test(rest) ? 'page' : 'unknown'
}
