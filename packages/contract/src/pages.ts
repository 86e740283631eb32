/** The paths of the web app's screens. The server answers them with its HTML. */
export const pages = {
  landing: '/',
  explore: '/explore',
  discover: '/discover',
  observatory: '/observatory',
  account: '/account',
  dashboard: '/dashboard',
  /** What is watched. Each check's own page is a segment below this. */
  checks: '/checks',
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

/** Where operators see the whole installation. For everybody else this is an ordinary unknown slug. */
export const operatorPage = '/mothership'

/** The parts of a page. Each has a path below the page's own, where its first part is shown. */
export const pageParts = {
  account: ['alerts', 'sharing', 'profile', 'security', 'keys', 'data'],
  discover: ['mothership', 'islands', 'satellites', 'charts', 'signals', 'library'],
  operator: [
    'users',
    'devices',
    'islands',
    'pages',
    'reports',
    'announcements',
    'neighbours',
    'invites',
    'audit',
  ],
  islandSettings: [
    'details',
    'pages',
    'rooms',
    'runtime',
    'picture',
    'door',
    'pause',
    'members',
    'invitations',
    'requests',
    'neighbours',
    'close',
  ],
} as const

/** The slug of the Community Lounge, the island that every installation starts with. */
export const loungeSlug = 'thetravelerstavern'

/**
 * Pages that the build renders to HTML for visitors, once for each language and kind of site, by path,
 * with their file names.
 */
export const prerenderedPages = {
  [pages.landing]: 'landing.html',
  [pages.explore]: 'explore.html',
  [pages.harborLogs]: 'harbor-logs.html',
} as const

/** The build's HTML for all other pages. */
export const appPageFile = 'app.html'

/** The build's HTML for an island's front page, with the addresses of its code. */
export const islandPageFile = 'island.html'

/** The build's CSS rules for its fonts, for pages that the server draws itself. */
export const fontRulesFile = 'fonts.css'

const oneOf = (parts: readonly string[]) => `(?:${parts.join('|')})`

/** The paths below the first segment. */
const inner = new RegExp(
  `^/(?:${[
    `islands/[^/]+(?:/enter|/editor|/settings(?:/${oneOf(pageParts.islandSettings)})?)?`,
    'devices/[^/]+',
    'checks/[^/]+',
    'library/[a-z0-9-]+',
    `account/${oneOf(pageParts.account)}`,
    `discover/${oneOf(pageParts.discover)}`,
    `${operatorPage.slice(1)}/${oneOf(pageParts.operator)}`,
  ].join('|')})/*$`,
)

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
