import type { IncomingMessage } from 'node:http'
import { LRUCache } from 'lru-cache'
import { atMostEntries } from '../../../cache-bound.ts'
import { CallLimit } from '../../../http/call-limit.ts'
import { isLetIn, type RelayedIsland, type RelayedIslands } from '../relayed-islands.ts'
import { isBrowser } from './browser-requests.ts'
import type { DoorCookies } from './door-cookies.ts'
import type { Visit, Visits } from './visits.ts'

/** What becomes of a visitor's request before anything of it goes to an island. */
export type Admission =
  | { readonly kind: 'enter'; readonly island: RelayedIsland; readonly visit: Visit | null }
  /** Unknown, hidden and forbidden alike. */
  | { readonly kind: 'elsewhere' }
  /** Whoever may know of it, and is kept out by its host for now. */
  | { readonly kind: 'paused'; readonly island: RelayedIsland }
  /** Whoever hosts it is trusted by no operator, and this browser has not been told whose machine it is. */
  | { readonly kind: 'first-visit'; readonly island: RelayedIsland }
  /** The network showed too many unknown cookies, so this one was not looked up: it may be a good one. */
  | { readonly kind: 'too-many'; readonly waitMs: number }

const elsewhere: Admission = { kind: 'elsewhere' }

const windowMs = 60_000
/** Unknown visit cookies that one network may show in a window. Each costs a query. */
const strangeCookiesPerWindow = 300
/** Some 200 bytes each. */
const maxRemembered = 20_000

interface AdmissionOptions {
  readonly islands: Pick<RelayedIslands, 'findBySlug'>
  readonly visits: Pick<Visits, 'find'>
  readonly cookies: DoorCookies
  /** Where a request comes from, as far as limits tell it apart. */
  readonly networkOf: (request: IncomingMessage) => string
}

export type AdmissionDesk = ReturnType<typeof createAdmission>

export function createAdmission({ islands, visits, cookies, networkOf }: AdmissionOptions) {
  const strangers = new CallLimit({ maxCalls: strangeCookiesPerWindow, windowMs })
  /** Cookies that named a visit when last looked up: the limit does not apply to them. */
  const good = new LRUCache<string, true>(atMostEntries(maxRemembered))
  /** Cookies that named none. A tab that goes on asking with one counts once in a window. */
  const dead = new LRUCache<string, true>({ ...atMostEntries(maxRemembered), ttl: windowMs })

  const lookUp = async (token: string, network: string): Promise<Visit | undefined> => {
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
    // The limit and the look-up come before the slug is read, so their time tells nothing about it.
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
     * Says who is let in to the island of a slug. At once where nobody has to be asked who comes: without a
     * cookie of a visit, whatever there is at the slug.
     * @throws StorageUnavailable
     */
    admit: (request: IncomingMessage, slug: string): Admission | Promise<Admission> => {
      const token = cookies.read(request, 'visit')
      return token === undefined ? withoutVisit(request, slug) : withVisit(request, slug, token)
    },
    /** A visit that a ticket was just redeemed for: the limit does not apply to it. */
    remember: (token: string): void => void good.set(token, true),
  }
}
