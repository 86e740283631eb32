import type { IncomingMessage } from 'node:http'
import { LRUCache } from 'lru-cache'
import { atMostEntries } from '../../../cache-bound.ts'
import { CallLimit } from '../../../http/call-limit.ts'
import type { RelayBase } from '../relay-base.ts'
import { islandAt, isLetIn, type ServedIsland } from '../served-islands.ts'
import { isBrowser, type AccessCookies } from './browser-requests.ts'
import type { IslandHost } from '../visitors/read-host.ts'
import { isFor, type Grant, type Grants } from './grants.ts'

export type Admission =
  | { readonly kind: 'enter'; readonly island: ServedIsland; readonly grant: Grant | null }
  /** Unknown, hidden and forbidden look alike. */
  | { readonly kind: 'elsewhere' }
  /** A visitor who may know of it, but whom its host keeps out for now. */
  | { readonly kind: 'paused'; readonly island: ServedIsland }
  /** No operator trusts its host, and this browser has not yet shown whose machine it is. */
  | { readonly kind: 'first-visit'; readonly island: ServedIsland }
  /** The network sent too many unknown cookies, so this one was not looked up. It may be valid. */
  | { readonly kind: 'too-many'; readonly waitMs: number }

const windowMs = 60_000
/** Unknown cookies that one network may send in a window. Each costs a query. */
const unknownCookiesPerWindow = 300
/** About 200 bytes each. */
const maxCached = 20_000

export type AdmissionDesk = ReturnType<typeof createAdmission>

export function createAdmission(
  { islands, networkOf }: RelayBase,
  grants: Grants,
  cookies: AccessCookies,
) {
  const unknownCookies = new CallLimit({ maxCalls: unknownCookiesPerWindow, windowMs })
  /** Cookies that held a grant when last looked up. The limit does not apply to them. */
  const valid = new LRUCache<string, true>(atMostEntries(maxCached))
  /** Cookies that held none. A tab that keeps sending one counts once in a window. */
  const invalid = new LRUCache<string, true>({ ...atMostEntries(maxCached), ttl: windowMs })

  const findGrant = async (token: string, network: string): Promise<Grant | undefined> => {
    if (invalid.has(token)) return undefined
    const grant = await grants.find(token)
    if (grant !== undefined) {
      valid.set(token, true)
      return grant
    }
    valid.delete(token)
    if (!invalid.has(token)) unknownCookies.take(network)
    invalid.set(token, true)
    return undefined
  }

  const admitAnybody = (request: IncomingMessage, host: IslandHost): Admission => {
    const island = islandAt(islands, host)
    if (island?.mayAnybodyKnow === true && island.pause !== null) return { kind: 'paused', island }
    if (island?.mayAnybodyEnter !== true) return { kind: 'elsewhere' }
    const isMet =
      island.hostKey === null ||
      island.isHostTrusted ||
      cookies.read(request, 'met') !== undefined ||
      !isBrowser(request)
    return isMet ? { kind: 'enter', island, grant: null } : { kind: 'first-visit', island }
  }

  const admitByCookie = async (
    request: IncomingMessage,
    host: IslandHost,
    token: string,
  ): Promise<Admission> => {
    const network = networkOf(request)
    // The limit and the lookup come before the island is read, so their timing reveals nothing about it.
    if (unknownCookies.isOver(network) && !valid.has(token) && !invalid.has(token)) {
      return { kind: 'too-many', waitMs: unknownCookies.take(network) }
    }
    const grant = await findGrant(token, network)
    const island = islandAt(islands, host)
    const isItsGrant = grant?.islandKey === island?.key && grant?.mayEnter === true
    if (island === undefined || !isItsGrant || !isFor(grant, host)) {
      return admitAnybody(request, host)
    }
    return isLetIn(island, grant) ? { kind: 'enter', island, grant } : { kind: 'paused', island }
  }

  return {
    /** Synchronous if the request has no cookie with a grant. @throws StorageUnavailable */
    admit: (request: IncomingMessage, host: IslandHost): Admission | Promise<Admission> => {
      const token = cookies.read(request, 'visit')
      return token === undefined ? admitAnybody(request, host) : admitByCookie(request, host, token)
    },
    remember: (token: string): void => void valid.set(token, true),
  }
}
