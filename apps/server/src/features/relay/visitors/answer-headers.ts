import { relayErrorHeader } from '@astropelago/contract/relay'
import { hopByHop, ownCookie } from './request-headers.ts'

/** By which services have a web server before them send a file of its own, or ask somebody else. */
const ordersToProxies = [
  'x-accel-redirect',
  'x-lighttpd-send-file',
  'x-lighttpd-send-tempfile',
  'x-reproxy-url',
  'x-sendfile',
  'x-sendfile2',
]

/**
 * Of the connection between agent and service, or about it: `Alt-Svc` would lead browsers to a port of this
 * server that is not the service's. Nor do services tell the proxy before this server what to do.
 */
const dropped: ReadonlySet<string> = new Set([
  ...hopByHop,
  ...ordersToProxies,
  'alt-svc',
  'clear-site-data',
  relayErrorHeader,
])

/** What a visitor is sent of the headers, or trailers, of a service's answer. */
export function answerHeaders(
  headers: Readonly<Record<string, string | string[] | number | undefined>>,
): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'number' || value === undefined || name.startsWith(':')) continue
    if (dropped.has(name)) continue
    kept[name] = value
  }
  const cookies = headers['set-cookie']
  if (Array.isArray(cookies)) kept['set-cookie'] = cookies.flatMap(forThisHostAlone)
  const cleared = clearedHere(headers['clear-site-data'])
  if (cleared !== '') kept['clear-site-data'] = cleared
  return kept
}

/** What browsers clear of one origin; `"cookies"` are a whole domain's: other islands' and maybe the site's. */
const clearable = ['"cache"', '"storage"', '"executionContexts"', '"clientHints"']

function clearedHere(said: string | string[] | number | undefined): string {
  const kinds = [said].flat().join(',').split(',')
  const named = new Set(kinds.map((kind) => kind.trim()))
  return clearable.filter((kind) => named.has(kind) || named.has('"*"')).join(', ')
}

/** Without the domain, so that no other island and not the site is sent it; none of our own names. */
function forThisHostAlone(cookie: string): readonly string[] {
  if (ownCookie.test(cookie.trim())) return []
  const [pair = '', ...attributes] = cookie.split(';')
  const kept = attributes.filter((attribute) => !/^\s*domain\s*(?:=|$)/i.test(attribute))
  return [[pair, ...kept].join(';')]
}
