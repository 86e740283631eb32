import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { OutgoingHttpHeaders } from 'node:http2'
import { relayErrorHeader } from '@astropelago/contract/relay'
import { visitorIdHeader, visitorNameHeader } from '@astropelago/contract/relay-access'
import type { Grant } from '../access/grants.ts'

/** Headers of the connection, not of the request: https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1 */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
])

/** Headers in which a relay, proxy or sign-in gateway identifies the visitor. Services trust them. */
const identityHeaders = [
  'astropelago-.*',
  'forwarded',
  'x-(original-)?forwarded-.*',
  '(x-)?(real|client|cluster-client|remote|originating|azure-client|appengine-user)-?ip',
  '(true|fastly)-client-ip',
  'x-remote-addr',
  'x-envoy-external-address',
  'cf-(connecting-ip(v6)?|pseudo-ipv4|ipcountry|access-.*)',
  // Authelia, authentik, Apache, Kubernetes, Grafana, oauth2-proxy, Vouch, Pomerium.
  '(x-)?remote-(user|name|email|groups?|extra-.*)',
  'x-(authentik|webauth|auth-request|authenticated|vouch|pomerium|token-user)-.*',
  // Not `x-auth-token`, with which programs sign in.
  'x-auth-(user|username|name|email|groups?)',
  'tailscale-.*',
  // Cloud providers.
  'x-goog-(authenticated-user|iap)-.*',
  'x-amzn-oidc-.*',
  'x-ms-client-principal.*',
  // A proxy's report of a client certificate.
  '(x-)?ssl-client-.*',
  'x-client-(cert|dn|verify).*',
]
const identityHeader = new RegExp(`^(?:${identityHeaders.join('|')})$`)

const ownCookie = /^(?:__(?:host|secure)-)?astropelago_/i

export function requestHeaders(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  visitor: Readonly<Record<'scheme' | 'authority' | 'path' | 'address', string>> &
    Pick<Grant, 'identity'>,
): OutgoingHttpHeaders {
  const { scheme, authority, path, address, identity } = visitor
  return {
    ...passedOn(headers),
    ':method': method ?? 'GET',
    ':scheme': scheme,
    ':authority': authority,
    ':path': path,
    'x-forwarded-for': address,
    'x-forwarded-host': authority,
    'x-forwarded-proto': scheme,
    ...(identity !== null && {
      [visitorIdHeader]: identity.id,
      [visitorNameHeader]: encodeURIComponent(identity.name.toWellFormed()),
    }),
  }
}

export function passedOn(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const named = namedBy(headers.connection)
  const passed: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || name === 'host' || hopByHop.has(name) || named.has(name)) continue
    if (isIdentity(name)) continue
    if (name === 'expect' && !/^100-continue$/i.test(String(value))) continue
    const rest = name === 'cookie' ? withoutOwnCookies(String(value)) : value
    if (rest !== '' || value === '') passed[name] = rest
  }
  return passed
}

const nothing: ReadonlySet<string> = new Set()

function namedBy(connection: string | undefined): ReadonlySet<string> {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') {
    return nothing
  }
  return new Set(connection.split(',').map((name) => name.trim().toLowerCase()))
}

/** A cache, since nearly all requests have the same twenty names. Bounded whatever visitors send. */
const checked = new Map<string, boolean>()
const checkedMax = 1000

/** In any spelling, because CGI's `HTTP_ASTROPELAGO_USER` does not distinguish hyphens from underscores. */
function isIdentity(name: string): boolean {
  const cached = checked.get(name)
  if (cached !== undefined) return cached
  const is = identityHeader.test(name.toLowerCase().replaceAll(/[^a-z\d]/g, '-'))
  if (checked.size < checkedMax) checked.set(name, is)
  return is
}

function withoutOwnCookies(cookies: string): string {
  return cookies
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie !== '' && !ownCookie.test(cookie))
    .join('; ')
}

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
