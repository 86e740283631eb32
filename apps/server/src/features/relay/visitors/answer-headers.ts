import { relayErrorHeader } from '@astropelago/contract/relay'
import { hopByHop, ownCookie } from './request-headers.ts'

/** Headers with which a service makes the web server in front of it send a file or ask another server. */
const ordersToProxies = [
  'x-accel-redirect',
  'x-lighttpd-send-file',
  'x-lighttpd-send-tempfile',
  'x-reproxy-url',
  'x-sendfile',
  'x-sendfile2',
]

/** `Alt-Svc` would send browsers to a port of this server that is not the service's. */
const dropped: ReadonlySet<string> = new Set([
  ...hopByHop,
  ...ordersToProxies,
  'alt-svc',
  'clear-site-data',
  relayErrorHeader,
])

export function answerHeaders(
  headers: Readonly<Record<string, string | string[] | number | undefined>>,
): Record<string, string | string[]> {
  const passed: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'number' || value === undefined || name.startsWith(':')) continue
    if (dropped.has(name)) continue
    passed[name] = value
  }
  const cookies = headers['set-cookie']
  if (Array.isArray(cookies)) passed['set-cookie'] = cookies.flatMap(forThisHostAlone)
  const cleared = clearedHere(headers['clear-site-data'])
  if (cleared !== '') passed['clear-site-data'] = cleared
  return passed
}

/** What browsers clear for one origin. They would clear `"cookies"` for the whole domain. */
const clearable = ['"cache"', '"storage"', '"executionContexts"', '"clientHints"']

function clearedHere(header: string | string[] | number | undefined): string {
  const kinds = [header].flat().join(',').split(',')
  const named = new Set(kinds.map((kind) => kind.trim()))
  return clearable.filter((kind) => named.has(kind) || named.has('"*"')).join(', ')
}

/** Without a domain, so that neither other islands nor the site get it. Drops cookies with our names. */
function forThisHostAlone(cookie: string): readonly string[] {
  if (ownCookie.test(cookie.trim())) return []
  const [pair = '', ...attributes] = cookie.split(';')
  const others = attributes.filter((attribute) => !/^\s*domain\s*(?:=|$)/i.test(attribute))
  return [[pair, ...others].join(';')]
}
