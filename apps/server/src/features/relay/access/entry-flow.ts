import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors } from '@astropelago/contract/errors'
import { enterPath, relayPath } from '@astropelago/contract/relay-access'
import { sessionMaxDays } from '@astropelago/contract/limits'
import { CallLimit } from '../../../http/call-limit.ts'
import { markup } from '../../../http/markup.ts'
import { oversizedPage } from '../../../http/oversized-page.ts'
import { hashToken, makeToken } from '../../../secret-token.ts'
import type { RelayBase } from '../relay-base.ts'
import {
  badRequest,
  endRequest,
  nothingHere,
  redirect,
  sendLine,
  tooMany,
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

interface EntryFlowOptions extends RelayBase {
  readonly store: Pick<GrantsStore, 'redeem'>
  readonly cookies: AccessCookies
  readonly admission: AdmissionDesk
}

/**
 * Handles browsers on their way to the site and back, at an island's host name. None of this reaches a
 * service.
 */
export function createEntryFlow(options: EntryFlowOptions) {
  const { config, pages, islands, store, cookies, admission, clock, networkOf } = options
  const { publicUrl } = config
  const { protocol } = new URL(publicUrl)
  /** For one network. Each ticket costs a transaction. */
  const tickets = new CallLimit({ maxCalls: ticketsPerMinute, windowMs: 60_000 })

  /**
   * Redirects to the site, which finds out who the visitor is. The same whether or not the island exists.
   * By default the browser comes back to the requested path. With `isAsked`, the site asks the visitor
   * again, even if the question was answered before.
   */
  const leadToSite = (
    response: ServerResponse,
    host: IslandHost,
    redirection: {
      readonly wanted?: string
      readonly isAsked?: boolean
      readonly headers?: Readonly<Record<string, string>>
    } = {},
  ): void => {
    const { wanted, isAsked = false, headers = {} } = redirection
    const held = cookies.read(response.req, 'door')
    // Pages that are opened at the same time share one state, so that all of them come back here.
    const state = held !== undefined && tokenPattern.test(held) ? held : makeToken()
    const origin = `${protocol}//${host.authority}`
    const to = (wanted ?? wantedAddress(host.path, origin)).slice(origin.length)
    const query = new URLSearchParams({
      state: Buffer.from(hashToken(state)).toString('base64url'),
      ...(to !== '/' && { to }),
      ...(isAsked && { ask: '1' }),
    })
    const location = `${publicUrl}/islands/${host.slug}/enter?${query.toString()}`
    const cookie = cookies.set('door', state, doorMaxAgeS)
    sendLine(response, redirect(location, { 'set-cookie': cookie, ...headers }))
  }

  const isRedeemed = async (grant: string, ticket: string, state: string, slug: string) => {
    // No island has key 0. The query runs either way, so its time does not reveal whether one exists.
    const islandKey = islands.findBySlug(slug)?.key ?? 0
    return await store.redeem(
      hashToken(ticket),
      { stateHash: hashToken(state), islandKey, nowMs: clock() },
      { grantHash: hashToken(grant), limit: grantsPerSession },
    )
  }

  const redeem = async (
    response: ServerResponse,
    { slug }: IslandHost,
    ticket: string,
    wanted: string,
  ): Promise<void> => {
    const waitMs = tickets.take(networkOf(response.req))
    if (waitMs > 0) {
      sendLine(response, tooMany(waitMs))
      return
    }
    const grant = makeToken()
    const state = cookies.read(response.req, 'door')
    if (state !== undefined && (await isRedeemed(grant, ticket, state, slug))) {
      admission.remember(grant)
      const cookie = cookies.set('visit', grant, sessionMaxDays * 86_400)
      sendLine(response, redirect(wanted, { 'set-cookie': cookie }))
      return
    }
    // Another page of this browser may have been let in first.
    const admitted = await admission.admit(response.req, slug)
    if (admitted.kind === 'enter' && admitted.grant !== null) {
      sendLine(response, redirect(wanted))
    } else if (admitted.kind === 'too-many') {
      sendLine(response, tooMany(admitted.waitMs))
    } else {
      // Reveals nothing about the island.
      pages.send(response, {
        status: 403,
        title: 'This link no longer works',
        main: markup`<p>It was already used, is more than a minute old, or was made for another browser.</p>
<p><a href="${wanted}">Try again</a></p>`,
      })
    }
  }

  const goOn = (response: ServerResponse, origin: string, wanted: string): void => {
    if (isPressedHere(response.req, origin)) {
      const cookie = cookies.set('met', '1', metMaxAgeS)
      sendLine(response, redirect(wanted, { 'set-cookie': cookie }, 303))
    } else {
      const text = 'Press the button on the page of the island itself.\n'
      sendLine(response, { status: 403, text })
    }
  }

  return {
    leadToSite,
    /** Whether a path belongs to the relay and not to the service. */
    takes: (path: string): boolean => path.startsWith(relayPath),
    /** @throws StorageUnavailable */
    answer: async (response: ServerResponse, host: IslandHost): Promise<void> => {
      const { method } = response.req
      const origin = `${protocol}//${host.authority}`
      // The authority's port may be out of range.
      if (!URL.canParse(host.path, origin)) {
        sendLine(response, badRequest)
        return
      }
      const { pathname, searchParams } = new URL(host.path, origin)
      const wanted = wantedAddress(searchParams.get('to'), origin)
      if (pathname === enterPath && opensPage(response.req)) {
        const ticket = searchParams.get('ticket')
        if (ticket !== null) await redeem(response, host, ticket, wanted)
        else leadToSite(response, host, { wanted, isAsked: searchParams.has('ask') })
      } else if (pathname === goOnPath && method === 'POST') {
        goOn(response, origin, wanted)
      } else if (pathname === oversizedPath) {
        endRequest(response)
        response.writeHead(errors.headers_too_large.status, oversizedPage.headers)
        response.end(method === 'HEAD' ? undefined : oversizedPage.body)
      } else {
        sendLine(response, nothingHere)
      }
    },
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
