import type { IncomingMessage } from 'node:http'
import { CallLimit } from '../../../http/call-limit.ts'
import type { RelayedIsland, RelayedIslands } from '../relayed-islands.ts'
import { isBrowser } from './browser-requests.ts'
import type { DoorCookies } from './door-cookies.ts'
import type { Visit, Visits } from './visits.ts'

/** What becomes of a visitor's request before anything of it goes to an island. */
export type Admission =
  | { readonly kind: 'enter'; readonly island: RelayedIsland; readonly visit: Visit | null }
  /** Unknown, hidden and forbidden alike. */
  | { readonly kind: 'elsewhere' }
  /** Whoever hosts it is trusted by no operator, and this browser has not been told whose machine it is. */
  | { readonly kind: 'first-visit'; readonly island: RelayedIsland }

const elsewhere: Admission = { kind: 'elsewhere' }

/** Cookies of no visit that one network may show in a minute, each of which costs a query. */
const strangeCookiesPerMinute = 300

interface AdmissionOptions {
  readonly islands: Pick<RelayedIslands, 'findBySlug'>
  readonly visits: Pick<Visits, 'find'>
  readonly cookies: DoorCookies
  /** Where a request comes from, as far as limits tell it apart. */
  readonly networkOf: (request: IncomingMessage) => string
}

/**
 * Says who is let in to the island of a slug. At once where nobody has to be asked who comes: without a
 * cookie of a visit, whatever there is at the slug.
 * @throws StorageUnavailable
 */
export function createAdmission({ islands, visits, cookies, networkOf }: AdmissionOptions) {
  const strangers = new CallLimit({ maxCalls: strangeCookiesPerMinute, windowMs: 60_000 })

  const withoutVisit = (request: IncomingMessage, slug: string): Admission => {
    const island = islands.findBySlug(slug)
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
    // Asked before anything is known of the slug: what takes time here tells nothing of it.
    const visit = strangers.isOver(network) ? undefined : await visits.find(token)
    if (visit === undefined) strangers.take(network)
    const island = islands.findBySlug(slug)
    if (visit === undefined || island === undefined || visit.islandKey !== island.key) {
      return withoutVisit(request, slug)
    }
    return visit.mayEnter ? { kind: 'enter', island, visit } : withoutVisit(request, slug)
  }

  return (request: IncomingMessage, slug: string): Admission | Promise<Admission> => {
    const token = cookies.read(request, 'visit')
    return token === undefined ? withoutVisit(request, slug) : withVisit(request, slug, token)
  }
}
