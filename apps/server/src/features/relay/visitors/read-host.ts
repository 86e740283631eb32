import type { IncomingMessage } from 'node:http'

/** Below RELAY_DOMAIN: for the island with this slug, if there is one. Or at an island's own domain. */
export interface IslandHost {
  readonly kind: 'island'
  /** What the site calls the island by: its slug, or the domain. */
  readonly slug: string
  readonly name: string
  readonly isOwnDomain: boolean
  readonly authority: string
  readonly path: string
}

export type RequestedHost =
  | { readonly kind: 'site' }
  | IslandHost
  | { readonly kind: 'nobody' }
  /** Two parsers could read it as two different hosts. */
  | { readonly kind: 'ambiguous' }

export const site: RequestedHost = { kind: 'site' }
const slugPattern = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/
/** By RFC 9112 the host of such a target counts, not the `Host` header. */
const absoluteTarget = /^([a-z][a-z\d+.-]*):\/\/([^/?#]*)(.*)$/is

/**
 * Islands are one level below `domain`, which is in lower case, and at domains of their own. Nothing of the
 * site is there.
 */
export function readHost(
  { rawHeaders, url = '/' }: Pick<IncomingMessage, 'rawHeaders' | 'url'>,
  domain: string,
  isOwnDomain: (name: string) => boolean = () => false,
): RequestedHost {
  const hosts = hostsOf(rawHeaders)
  const absolute = url.startsWith('/') ? null : absoluteTarget.exec(url)
  const named = absolute === null ? hosts : [absolute[2] ?? '', ...hosts]
  // Nearly all requests are for the site and name it once.
  const names = new Set(named.map(nameOf))
  if (![...names].some((name) => name.endsWith(`.${domain}`) || isOwnDomain(name))) return site
  const [name] = names
  if (names.size !== 1 || name === undefined || hosts.length > 1) return { kind: 'ambiguous' }
  if (absolute !== null && !/^https?$/i.test(absolute[1] ?? '')) return { kind: 'ambiguous' }
  const isOwn = isOwnDomain(name)
  const slug = isOwn ? name : name.slice(0, -domain.length - 1)
  if (!isOwn && !slugPattern.test(slug)) return { kind: 'nobody' }
  const port = /:\d+$/.exec(named[0] ?? '')?.[0] ?? ''
  const path = absolute === null ? url : originForm(absolute[3] ?? '')
  return { kind: 'island', slug, name, isOwnDomain: isOwn, authority: name + port, path }
}

export function namesOnce(
  { rawHeaders, url = '/' }: Pick<IncomingMessage, 'rawHeaders' | 'url'>,
  host: string | undefined,
): boolean {
  if (host === undefined || !url.startsWith('/')) return false
  let isNamed = false
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (!isHost(rawHeaders[at])) continue
    if (isNamed || rawHeaders[at + 1] !== host) return false
    isNamed = true
  }
  return isNamed
}

function isHost(name: string | undefined): boolean {
  return name?.length === 4 && (name === 'Host' || name.toLowerCase() === 'host')
}

function hostsOf(rawHeaders: readonly string[]): readonly string[] {
  const hosts: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (isHost(rawHeaders[at])) hosts.push(rawHeaders[at + 1] ?? '')
  }
  return hosts
}

function originForm(rest: string): string {
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** Without user info, port and trailing dots. */
function nameOf(host: string): string {
  return (
    host
      .slice(host.lastIndexOf('@') + 1)
      .replace(/:\d*$/, '')
      // The lookbehind starts only at the first dot. Starting at each of 16,000 took half a second.
      .replace(/(?<!\.)\.+$/, '')
      .toLowerCase()
  )
}
