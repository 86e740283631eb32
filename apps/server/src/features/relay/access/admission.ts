import type { IncomingMessage } from 'node:http'
import { LRUCache } from 'lru-cache'
import { atMostEntries } from '../../../cache-bound.ts'
import { CallLimit } from '../../../http/call-limit.ts'
import { isLetIn, type RelayedIsland, type RelayedIslands } from '../relayed-islands.ts'
import { isBrowser } from './browser-requests.ts'
import type { AccessCookies } from './access-cookies.ts'
import type { Grant, Grants } from './grants.ts'

/** What becomes of a visitor's request before any of it goes to an island. */
export type Admission =
  | { readonly kind: 'enter'; readonly island: RelayedIsland; readonly visit: Grant | null }
  /** Unknown, hidden and forbidden look alike. */
  | { readonly kind: 'elsewhere' }
  /** A visitor who may know of it, but whom its host keeps out for now. */
  | { readonly kind: 'paused'; readonly island: RelayedIsland }
  /** No operator trusts its host, and this browser has not yet been told whose machine it is. */
  | { readonly kind: 'first-visit'; readonly island: RelayedIsland }
  /** The network sent too many unknown cookies, so this one was not looked up. It may be valid. */
  | { readonly kind: 'too-many'; readonly waitMs: number }

const elsewhere: Admission = { kind: 'elsewhere' }

const windowMs = 60_000
/** Unknown visit cookies that one network may send in a window. Each costs a query. */
const strangeCookiesPerWindow = 300
/** About 200 bytes each. */
const maxRemembered = 20_000

interface AdmissionOptions {
  readonly islands: Pick<RelayedIslands, 'findBySlug'>
  readonly visits: Pick<Grants, 'find'>
  readonly cookies: AccessCookies
  /** The network of a request, as rate limits distinguish networks. */
  readonly networkOf: (request: IncomingMessage) => string
}

export type AdmissionDesk = ReturnType<typeof createAdmission>

export function createAdmission({ islands, visits, cookies, networkOf }: AdmissionOptions) {
  const strangers = new CallLimit({ maxCalls: strangeCookiesPerWindow, windowMs })
  /** Cookies that named a visit when last looked up. The limit does not apply to them. */
  const good = new LRUCache<string, true>(atMostEntries(maxRemembered))
  /** Cookies that named no visit. A tab that keeps sending one counts once in a window. */
  const dead = new LRUCache<string, true>({ ...atMostEntries(maxRemembered), ttl: windowMs })

  const lookUp = async (token: string, network: string): Promise<Grant | undefined> => {
    if (dead.has(token)) return undefined
    const visit = await visits.find(token)
    if (visit !== undefined) {
      good.set(token, true)
      return visit
    }
    good.delete(token)
    if (!dead.has(token)) strangers.take(network)
    dead.set(token, true)
    return undefined
  }

  const withoutVisit = (request: IncomingMessage, slug: string): Admission => {
    const island = islands.findBySlug(slug)
    if (island?.mayAnybodyKnow === true && island.pause !== null) return { kind: 'paused', island }
    if (island?.mayAnybodyEnter !== true) return elsewhere
    const isMet =
      island.hostKey === null ||
      island.isHostTrusted ||
      cookies.read(request, 'met') !== undefined ||
      !isBrowser(request)
    return isMet ? { kind: 'enter', island, visit: null } : { kind: 'first-visit', island }
  }

  const withVisit = async (
    request: IncomingMessage,
    slug: string,
    token: string,
  ): Promise<Admission> => {
    const network = networkOf(request)
    // The limit and the lookup come before the slug is read, so their timing reveals nothing about it.
    if (strangers.isOver(network) && !good.has(token) && !dead.has(token)) {
      return { kind: 'too-many', waitMs: strangers.take(network) }
    }
    const visit = await lookUp(token, network)
    const island = islands.findBySlug(slug)
    if (visit === undefined || island === undefined || visit.islandKey !== island.key) {
      return withoutVisit(request, slug)
    }
    if (!visit.mayEnter) return withoutVisit(request, slug)
    return isLetIn(island, visit) ? { kind: 'enter', island, visit } : { kind: 'paused', island }
  }

  return {
    /**
     * Decides whether a request may enter the island of a slug. Synchronous if the request has no visit
     * cookie, whatever the slug.
     * @throws StorageUnavailable
     */
    admit: (request: IncomingMessage, slug: string): Admission | Promise<Admission> => {
      const token = cookies.read(request, 'visit')
      return token === undefined ? withoutVisit(request, slug) : withVisit(request, slug, token)
    },
    /** Exempts a visit that was just created from a ticket from the limit. */
    remember: (token: string): void => void good.set(token, true),
  }
}
