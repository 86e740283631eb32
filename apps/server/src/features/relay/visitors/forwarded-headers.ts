import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { visitorIdHeader, visitorNameHeader } from '@astropelago/contract/relay-access'
import type { Grant } from '../access/grants.ts'
import type { Service } from '../agents/agent-session.ts'

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

export interface VisitorAddress extends Readonly<
  Record<'scheme' | 'authority' | 'path' | 'address', string>
> {}

/** The visitor's headers as the service gets them, without `Host` and the body's length: each name followed by its value. */
export function requestHeaders(
  { headers }: Pick<IncomingMessage, 'headers'>,
  { scheme, authority, address, identity }: VisitorAddress & Pick<Grant, 'identity'>,
): string[] {
  return listOf({
    ...passedOn(headers),
    'x-forwarded-for': address,
    'x-forwarded-host': authority,
    'x-forwarded-proto': scheme,
    ...(identity !== null && {
      [visitorIdHeader]: identity.id,
      [visitorNameHeader]: encodeURIComponent(identity.name.toWellFormed()),
    }),
  })
}

/** Each name followed by its value. */
export function listOf(headers: Readonly<Record<string, string | readonly string[]>>): string[] {
  const list: string[] = []
  for (const [name, value] of Object.entries(headers)) {
    for (const one of typeof value === 'string' ? [value] : value) list.push(name, one)
  }
  return list
}

export function passedOn(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const named = namedBy(headers.connection)
  const passed: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || hopByHop.has(name) || named.has(name)) continue
    // Sent with the body, so that nothing that a visitor names in `Connection` removes its end.
    if (name === 'host' || name === 'content-length') continue
    if (isIdentity(name)) continue
    if (name === 'trailer' && headers['transfer-encoding'] === undefined) continue
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
])

export function answerHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string | string[]> {
  const named = namedBy([headers['connection']].flat().join())
  const passed: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || dropped.has(name) || named.has(name)) continue
    if (!name.startsWith('astropelago-relay-')) passed[name] = value
  }
  // An answer with a length has no trailers.
  if (headers['transfer-encoding'] === undefined) delete passed['trailer']
  const cookies = headers['set-cookie']
  if (Array.isArray(cookies)) passed['set-cookie'] = cookies.flatMap(forThisHostAlone)
  const cleared = headers['clear-site-data']
  const clearedHere = cleared === undefined ? '' : clearedOnly(cleared)
  if (clearedHere !== '') passed['clear-site-data'] = clearedHere
  return passed
}

/** What browsers clear for one origin. They would clear `"cookies"` for the whole domain. */
const clearable = ['"cache"', '"storage"', '"executionContexts"', '"clientHints"']

function clearedOnly(header: string | string[]): string {
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

/** Where a redirect leads, with an address of the service itself rewritten to the island's. Rule [A13]. */
export function visitorsLocation(
  location: string,
  service: Service,
  { scheme, authority }: Pick<VisitorAddress, 'scheme' | 'authority'>,
): string {
  const own = service.origin === null ? undefined : new URL(service.origin)
  const absolute = location.startsWith('//') ? `${own?.protocol ?? 'http:'}${location}` : location
  const url = URL.parse(absolute)
  if (url === null || !/^https?:$/.test(url.protocol)) return location
  // A service on another machine may name itself `localhost`, whatever name it was asked by.
  const isService =
    own !== undefined &&
    (url.host === own.host || (portOf(url) === portOf(own) && isLoopback(url.hostname)))
  const isHost = service.host !== null && [url.host, url.hostname].includes(service.host)
  // The service does not know about TLS, which ends at the server.
  const isPlain = url.protocol === 'http:' && scheme === 'https' && url.host === authority
  if (!isService && !isHost && !isPlain) return location
  return `${scheme}://${authority}${url.pathname}${url.search}${url.hash}`
}

function portOf({ port, protocol }: URL): string {
  return port !== '' ? port : protocol === 'https:' ? '443' : '80'
}

function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
}
