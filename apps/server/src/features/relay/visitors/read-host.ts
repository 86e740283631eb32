import type { IncomingMessage } from 'node:http'
import { isHost, readHostNames } from '../../../http/host-names.ts'

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

/**
 * Islands are one level below `domain`, which is in lower case, and at domains of their own. Nothing of the
 * site is there.
 */
export function readHost(
  request: Pick<IncomingMessage, 'rawHeaders' | 'url'>,
  domain: string,
  isOwnDomain: (name: string) => boolean = () => false,
): RequestedHost {
  const { hosts, absolute, named, names } = readHostNames(request)
  if (![...names].some((name) => name.endsWith(`.${domain}`) || isOwnDomain(name))) return site
  const [name] = names
  if (names.size !== 1 || name === undefined || hosts.length > 1) return { kind: 'ambiguous' }
  if (absolute !== null && !/^https?$/i.test(absolute[1] ?? '')) return { kind: 'ambiguous' }
  const isOwn = !name.endsWith(`.${domain}`)
  const slug = isOwn ? name : name.slice(0, -domain.length - 1)
  if (!isOwn && !slugPattern.test(slug)) return { kind: 'nobody' }
  const port = /:\d+$/.exec(named[0] ?? '')?.[0] ?? ''
  const path = absolute === null ? (request.url ?? '/') : originForm(absolute[3] ?? '')
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

function originForm(rest: string): string {
  return rest.startsWith('/') ? rest : `/${rest}`
}
