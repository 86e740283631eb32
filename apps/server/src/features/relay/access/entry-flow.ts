import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors } from '@astropelago/contract/errors'
import { enterPath, relayPath } from '@astropelago/contract/relay-access'
import { sessionMaxDays } from '@astropelago/contract/limits'
import type { Clock } from '../../../clock.ts'
import { CallLimit } from '../../../http/call-limit.ts'
import { oversizedPage } from '../../../http/oversized-page.ts'
import { hashToken, makeToken } from '../../../secret-token.ts'
import type { RelayedIslands } from '../relayed-islands.ts'
import { endRequest, type IslandPages } from '../visitors/island-pages.ts'
import type { AdmissionDesk } from './admission.ts'
import { isVisit } from './browser-requests.ts'
import type { AccessCookies } from './access-cookies.ts'
import { badRequest, nothingHere, sendLine, sendUnusableTicket, tooMany } from './access-pages.ts'
import type { GrantsStore } from './grants-store.ts'

export const goOnPath = `${relayPath}go-on`
/**
 * Where a proxy with a lower header limit than the server sends oversized requests, as
 * deploy/nginx-relay.conf does.
 */
const oversizedPath = `${relayPath}oversized`

/** Long enough to register at the site and come back. */
const doorMaxAgeS = 3600
const metMaxAgeS = 30 * 86_400
/** For one session, so for one browser's islands. */
const visitsPerSession = 200
const ticketsPerMinute = 300
const wantedMaxLength = 2000
const tokenPattern = /^[A-Za-z0-9_-]{43}$/

interface WayInOptions {
  readonly publicUrl: string
  readonly pages: Pick<IslandPages, 'send'>
  readonly islands: Pick<RelayedIslands, 'findBySlug'>
  readonly store: Pick<GrantsStore, 'redeem'>
  readonly cookies: AccessCookies
  readonly admission: AdmissionDesk
  readonly clock: Clock
  /** The network of a request, as rate limits distinguish networks. */
  readonly networkOf: (request: IncomingMessage) => string
}

interface AskedHost {
  readonly slug: string
  readonly authority: string
  readonly path: string
}

interface Leading {
  /** Where the browser wants to go. By default, the requested path. */
  readonly wanted?: string
  /** Whether the site should ask again, even if the question was answered before. */
  readonly isAsked?: boolean
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Handles browsers on their way to the site and back, at an island's host name. None of this reaches a
 * service.
 */
export class EntryFlow {
  readonly #options: WayInOptions
  readonly #scheme: string
  /** For one network. Each ticket costs a transaction. */
  readonly #tickets = new CallLimit({ maxCalls: ticketsPerMinute, windowMs: 60_000 })

  constructor(options: WayInOptions) {
    this.#options = options
    this.#scheme = new URL(options.publicUrl).protocol
  }

  /** Whether a path belongs to the relay and not to the service. */
  readonly takes = (path: string): boolean => path.startsWith(relayPath)

  /** @throws StorageUnavailable */
  async answer(request: IncomingMessage, response: ServerResponse, host: AskedHost): Promise<void> {
    const origin = this.#originOf(host)
    // The authority's port may be out of range.
    if (!URL.canParse(host.path, origin)) {
      sendLine(request, response, badRequest)
      return
    }
    const { pathname, searchParams } = new URL(host.path, origin)
    const wanted = wantedAddress(searchParams.get('to'), origin)
    if (pathname === enterPath && isVisit(request)) {
      const ticket = searchParams.get('ticket')
      if (ticket === null)
        this.leadToSite(request, response, host, { wanted, isAsked: searchParams.has('ask') })
      else await this.#redeem(request, response, host, { ticket, wanted })
    } else if (pathname === goOnPath && request.method === 'POST') {
      this.#goOn(request, response, origin, wanted)
    } else if (pathname === oversizedPath) {
      endRequest(request, response)
      response.writeHead(errors.headers_too_large.status, oversizedPage.headers)
      response.end(request.method === 'HEAD' ? undefined : oversizedPage.body)
    } else {
      sendLine(request, response, nothingHere)
    }
  }

  /**
   * Redirects to the site, which finds out who the visitor is. The same whether or not the island exists.
   */
  leadToSite(
    request: IncomingMessage,
    response: ServerResponse,
    host: AskedHost,
    { wanted, isAsked = false, headers = {} }: Leading = {},
  ): void {
    const { cookies, publicUrl } = this.#options
    const held = cookies.read(request, 'door')
    // Pages that are opened at the same time share one state, so that all of them come back to this
    // browser.
    const state = held !== undefined && tokenPattern.test(held) ? held : makeToken()
    const origin = this.#originOf(host)
    const to = (wanted ?? wantedAddress(host.path, origin)).slice(origin.length)
    const query = new URLSearchParams({
      state: Buffer.from(hashToken(state)).toString('base64url'),
      ...(to !== '/' && { to }),
      ...(isAsked && { ask: '1' }),
    })
    const location = `${publicUrl}/islands/${host.slug}/enter?${query.toString()}`
    sendLine(request, response, {
      status: 302,
      headers: { location, 'set-cookie': cookies.set('door', state, doorMaxAgeS), ...headers },
    })
  }

  async #redeem(
    request: IncomingMessage,
    response: ServerResponse,
    host: AskedHost,
    { ticket, wanted }: { readonly ticket: string; readonly wanted: string },
  ): Promise<void> {
    const { pages, store, cookies, islands, admission, clock, networkOf } = this.#options
    const waitMs = this.#tickets.take(networkOf(request))
    if (waitMs > 0) {
      sendLine(request, response, tooMany(waitMs))
      return
    }
    const visit = makeToken()
    const state = cookies.read(request, 'door')
    const isLetIn =
      state !== undefined &&
      (await store.redeem(
        hashToken(ticket),
        {
          stateHash: hashToken(state),
          // No island has key 0. The query runs either way, so its time does not reveal whether the
          // island exists.
          islandKey: islands.findBySlug(host.slug)?.key ?? 0,
          nowMs: clock(),
        },
        { visitHash: hashToken(visit), limit: visitsPerSession },
      ))
    if (isLetIn) {
      admission.remember(visit)
      const held = cookies.set('visit', visit, sessionMaxDays * 86_400)
      sendLine(request, response, {
        status: 302,
        headers: { location: wanted, 'set-cookie': held },
      })
      return
    }
    // Another page of this browser may have been let in first.
    const admitted = await admission.admit(request, host.slug)
    if (admitted.kind === 'enter' && admitted.visit !== null) {
      sendLine(request, response, { status: 302, headers: { location: wanted } })
    } else if (admitted.kind === 'too-many') {
      sendLine(request, response, tooMany(admitted.waitMs))
    } else sendUnusableTicket(pages, request, response, wanted)
  }

  #goOn(request: IncomingMessage, response: ServerResponse, origin: string, wanted: string): void {
    if (!isPressedHere(request, origin)) {
      sendLine(request, response, {
        status: 403,
        text: 'Press the button on the page of the island itself.\n',
      })
      return
    }
    const held = this.#options.cookies.set('met', '1', metMaxAgeS)
    sendLine(request, response, { status: 303, headers: { location: wanted, 'set-cookie': held } })
  }

  #originOf({ authority }: Pick<AskedHost, 'authority'>): string {
    return `${this.#scheme}//${authority}`
  }
}

/** The address on this host name that the browser wanted, or the host's root. */
function wantedAddress(path: string | null, origin: string): string {
  const home = `${origin}/`
  if (path === null || path.length > wantedMaxLength || !URL.canParse(path, origin)) return home
  const wanted = new URL(path, origin)
  const isHere = wanted.origin === new URL(origin).origin && !wanted.pathname.startsWith(relayPath)
  return isHere ? `${origin}${wanted.pathname}${wanted.search}` : home
}

/** Whether the form was sent from this host's own page. Browsers report another source for other pages. */
function isPressedHere({ headers }: IncomingMessage, origin: string): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined ? headers.origin === new URL(origin).origin : site === 'same-origin'
}
