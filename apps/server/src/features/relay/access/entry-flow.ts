import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors } from '@astropelago/contract/errors'
import { enterPath, relayPath } from '@astropelago/contract/relay-access'
import { sessionMaxDays } from '@astropelago/contract/limits'
import type { Clock } from '../../../clock.ts'
import { CallLimit } from '../../../http/call-limit.ts'
import { markup } from '../../../http/markup.ts'
import { oversizedPage } from '../../../http/oversized-page.ts'
import { hashToken, makeToken } from '../../../secret-token.ts'
import type { RelayedIslands } from '../relayed-islands.ts'
import {
  badRequest,
  endRequest,
  nothingHere,
  sendLine,
  tooMany,
  type IslandPages,
} from '../visitors/island-pages.ts'
import type { IslandHost } from '../visitors/read-host.ts'
import type { AdmissionDesk } from './admission.ts'
import { opensPage } from './browser-requests.ts'
import type { AccessCookies } from './access-cookies.ts'
import type { GrantsStore } from './grants-store.ts'

export const goOnPath = `${relayPath}go-on`
/** Where a proxy with a lower header limit sends oversized requests, as deploy/nginx-relay.conf does. */
const oversizedPath = `${relayPath}oversized`

/** Long enough to register at the site and come back. */
const doorMaxAgeS = 3600
const metMaxAgeS = 30 * 86_400
/** For one session, so for one browser's islands. */
const grantsPerSession = 200
const ticketsPerMinute = 300
const wantedMaxLength = 2000
const tokenPattern = /^[A-Za-z0-9_-]{43}$/

interface EntryFlowOptions {
  readonly publicUrl: string
  readonly pages: Pick<IslandPages, 'send'>
  readonly islands: Pick<RelayedIslands, 'findBySlug'>
  readonly store: Pick<GrantsStore, 'redeem'>
  readonly cookies: AccessCookies
  readonly admission: AdmissionDesk
  readonly clock: Clock
  readonly networkOf: (request: IncomingMessage) => string
}

/**
 * Handles browsers on their way to the site and back, at an island's host name. None of this reaches a
 * service.
 */
export class EntryFlow {
  readonly #options: EntryFlowOptions
  readonly #scheme: string
  /** For one network. Each ticket costs a transaction. */
  readonly #tickets = new CallLimit({ maxCalls: ticketsPerMinute, windowMs: 60_000 })

  constructor(options: EntryFlowOptions) {
    this.#options = options
    this.#scheme = new URL(options.publicUrl).protocol
  }

  /** Whether a path belongs to the relay and not to the service. */
  readonly takes = (path: string): boolean => path.startsWith(relayPath)

  /** @throws StorageUnavailable */
  async answer(
    request: IncomingMessage,
    response: ServerResponse,
    host: IslandHost,
  ): Promise<void> {
    const origin = this.#originOf(host)
    // The authority's port may be out of range.
    if (!URL.canParse(host.path, origin)) {
      sendLine(request, response, badRequest)
      return
    }
    const { pathname, searchParams } = new URL(host.path, origin)
    const wanted = wantedAddress(searchParams.get('to'), origin)
    if (pathname === enterPath && opensPage(request)) {
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
   * By default the browser comes back to the requested path. With `isAsked`, the site asks the visitor
   * again, even if the question was answered before.
   */
  leadToSite(
    request: IncomingMessage,
    response: ServerResponse,
    host: IslandHost,
    {
      wanted,
      isAsked = false,
      headers = {},
    }: {
      readonly wanted?: string
      readonly isAsked?: boolean
      readonly headers?: Readonly<Record<string, string>>
    } = {},
  ): void {
    const { cookies, publicUrl } = this.#options
    const held = cookies.read(request, 'door')
    // Pages that are opened at the same time share one state, so that all of them come back here.
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
    host: IslandHost,
    { ticket, wanted }: { readonly ticket: string; readonly wanted: string },
  ): Promise<void> {
    const { pages, store, cookies, islands, admission, clock, networkOf } = this.#options
    const waitMs = this.#tickets.take(networkOf(request))
    if (waitMs > 0) {
      sendLine(request, response, tooMany(waitMs))
      return
    }
    const grant = makeToken()
    const state = cookies.read(request, 'door')
    const isRedeemed =
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
        { grantHash: hashToken(grant), limit: grantsPerSession },
      ))
    if (isRedeemed) {
      admission.remember(grant)
      const cookie = cookies.set('visit', grant, sessionMaxDays * 86_400)
      sendLine(request, response, {
        status: 302,
        headers: { location: wanted, 'set-cookie': cookie },
      })
      return
    }
    // Another page of this browser may have been let in first.
    const admitted = await admission.admit(request, host.slug)
    if (admitted.kind === 'enter' && admitted.grant !== null) {
      sendLine(request, response, { status: 302, headers: { location: wanted } })
    } else if (admitted.kind === 'too-many') {
      sendLine(request, response, tooMany(admitted.waitMs))
    } else {
      // Reveals nothing about the island.
      pages.send(request, response, {
        status: 403,
        title: 'This link no longer works',
        main: markup`<p>It was already used, is more than a minute old, or was made for another browser.</p>
<p><a href="${wanted}">Try again</a></p>`,
      })
    }
  }

  #goOn(request: IncomingMessage, response: ServerResponse, origin: string, wanted: string): void {
    if (!isPressedHere(request, origin)) {
      sendLine(request, response, {
        status: 403,
        text: 'Press the button on the page of the island itself.\n',
      })
      return
    }
    const cookie = this.#options.cookies.set('met', '1', metMaxAgeS)
    sendLine(request, response, {
      status: 303,
      headers: { location: wanted, 'set-cookie': cookie },
    })
  }

  #originOf({ authority }: IslandHost): string {
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
