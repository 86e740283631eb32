import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors } from '@astropelago/contract/errors'
import { rulesAnchor } from '@astropelago/contract/islands'
import { sessionMaxDays } from '@astropelago/contract/limits'
import { loungeSlug } from '@astropelago/contract/pages'
import { agreedPath } from '@astropelago/contract/runtime-paths'
import { enterPath, relayPath } from '@astropelago/contract/relay-access'
import { CallLimit } from '../../../http/call-limit.ts'
import { markup } from '../../../http/markup.ts'
import { oversizedPage } from '../../../http/oversized-page.ts'
import { hashToken, makeToken } from '../../../secret-token.ts'
import type { AccountsFeature } from '../../accounts/public.ts'
import type { RelayBase } from '../relay-base.ts'
import { islandAt, type ServedIsland } from '../served-islands.ts'
import {
  badRequest,
  endRequest,
  nothingHere,
  redirect,
  sendLine,
  tooMany,
} from '../../../http/short-answers.ts'
import type { IslandHost } from '../visitors/read-host.ts'
import type { Transfers } from '../visitors/transfers.ts'
import { createAdmission, type AdmissionDesk } from './admission.ts'
import { createAccessCookies, opensPage, type AccessCookies } from './browser-requests.ts'
import { createGrantConnections, createGrants, type Entrance, type Grant } from './grants.ts'
import type { GrantsStore } from './grants-store.ts'

const goOnPath = `${relayPath}go-on`
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

/** Not cookies, because that would clear them for the whole domain. */
const clearStored = { 'clear-site-data': '"cache", "storage"' }

export type RelayAccess = ReturnType<typeof createRelayAccess>

export function createRelayAccess(
  options: RelayBase & {
    readonly store: GrantsStore
    readonly accounts: Pick<AccountsFeature, 'findSessionHolder' | 'watchSessionOf'>
  },
) {
  const { config, pages, islands, accounts } = options
  const { publicUrl } = config
  const cookies = createAccessCookies(publicUrl)
  const grants = createGrants({ ...options, findSessionHolder: accounts.findSessionHolder })
  const connections = createGrantConnections({
    ...options,
    watchSessionOf: accounts.watchSessionOf,
  })
  const admission = createAdmission(options, grants, cookies)
  /** The lounge's host name redirects to its page unless somebody hosts it at home. */
  const isLoungeAlone = (slug: string) =>
    slug === loungeSlug && islands.findBySlug(slug) === undefined
  const entryFlow = createEntryFlow({ ...options, cookies, admission })

  return {
    admit: admission.admit,
    entryFlow,
    transfersOf: (grant: Grant | null, entrance: Entrance): Pick<Transfers, 'begin'> => ({
      begin: connections.of(grant, entrance),
    }),
    recheck: (islandKey: number, userKey?: number) => {
      grants.forget(islandKey, userKey)
      void connections.check(islandKey)
    },
    /** Only the site knows the user, so page requests go there. Everything else gets 404. */
    sendElsewhere: (response: ServerResponse, host: IslandHost) => {
      // Here the cookie was looked up and refused, so what the island stored is cleared. Other sites'
      // pages can't cause that, because their requests carry none of our cookies.
      const headers = cookies.read(response.req, 'visit') === undefined ? {} : clearStored
      if (!opensPage(response.req)) sendLine(response, { ...nothingHere, headers })
      else if (isLoungeAlone(host.slug)) {
        sendLine(response, redirect(`${publicUrl}/islands/${loungeSlug}`, headers))
      } else entryFlow.leadToSite(response, host, { headers })
    },
    sendFirstVisit: (
      response: ServerResponse,
      { path }: IslandHost,
      { slug, name, hostName, hasRules, isHosted }: ServedIsland,
    ) => {
      const { kind, title, text } = isHosted ? pagesOf(name) : deviceOf(name)
      if (!opensPage(response.req)) {
        const line = `This island is ${kind}. Open its address in this browser first, and go on from there.\n`
        sendLine(response, { status: 403, text: line })
        return
      }
      const goOn = `${goOnPath}?${new URLSearchParams({ to: path }).toString()}`
      const frontPage = `${publicUrl}/islands/${slug}`
      const host = markup`<bdi>${hostName ?? 'The operator of this server'}</bdi>`
      const rules = markup`<p>Its host asks visitors to keep to <a href="${frontPage}#${rulesAnchor}">the rules of this island</a>.</p>
`
      pages.send(response, {
        status: 403,
        hasForm: true,
        title,
        main: markup`<p>${host} ${text}</p>
<p>Never type your ${pages.siteName} password there.</p>
${hasRules ? rules : null}<form method="post" action="${goOn}"><button>Go on to <bdi>${name}</bdi></button></form>
<p><a href="${frontPage}">About this island</a></p>`,
      })
    },
  }
}

function deviceOf(name: string) {
  return {
    kind: 'on somebody’s own device',
    title: `${name} is on somebody’s own device`,
    text: 'hosts this island on their own device. They alone decide what it shows, and what happens to anything that you type or upload there.',
  }
}

function pagesOf(name: string) {
  return {
    kind: 'a page that somebody made',
    title: `${name} is a page that somebody made`,
    text: 'made this island. They alone decide what it shows, and what happens to anything that you type there.',
  }
}

/** Handles browsers on their way to the site and back, at an island's host name. No service sees them. */
function createEntryFlow(
  options: RelayBase & {
    readonly store: Pick<GrantsStore, 'redeem'>
    readonly cookies: AccessCookies
    readonly admission: AdmissionDesk
  },
) {
  const { config, pages, islands, store, cookies, admission, clock, networkOf } = options
  const { publicUrl } = config
  const { protocol } = new URL(publicUrl)
  /** For one network. Each ticket costs a transaction. */
  const tickets = new CallLimit({ maxCalls: ticketsPerMinute, windowMs: 60_000 })

  /**
   * Redirects to the site, the same whether or not the island exists. By default the browser comes back to
   * the requested path. With `isAsked`, the site asks again even if it has an answer.
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

  const isRedeemed = async (grant: string, ticket: string, state: string, host: IslandHost) => {
    // No island has key 0. The query runs either way, so its time does not reveal whether one exists.
    const islandKey = islandAt(islands, host)?.key ?? 0
    return await store.redeem(
      hashToken(ticket),
      { stateHash: hashToken(state), islandKey, hostName: host.name, nowMs: clock() },
      { grantHash: hashToken(grant), limit: grantsPerSession },
    )
  }

  const redeem = async (
    response: ServerResponse,
    host: IslandHost,
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
    if (state !== undefined && (await isRedeemed(grant, ticket, state, host))) {
      admission.remember(grant)
      const cookie = cookies.set('visit', grant, sessionMaxDays * 86_400)
      sendLine(response, redirect(wanted, { 'set-cookie': cookie }))
      return
    }
    // Another page of this browser may have been let in first.
    const admitted = await admission.admit(response.req, host)
    if (admitted.kind === 'enter' && admitted.grant !== null) {
      sendLine(response, redirect(wanted))
    } else if (admitted.kind === 'too-many') {
      sendLine(response, tooMany(admitted.waitMs))
    } else {
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

function wantedAddress(path: string | null, origin: string): string {
  const home = `${origin}/`
  if (path === null || path.length > wantedMaxLength || !URL.canParse(path, origin)) return home
  const wanted = new URL(path, origin)
  const { pathname } = wanted
  const isOpen = !pathname.startsWith(relayPath) || pathname === agreedPath
  const isHere = wanted.origin === new URL(origin).origin && isOpen
  return isHere ? `${origin}${wanted.pathname}${wanted.search}` : home
}

/** Whether the form was sent from this host's own page. Browsers report another source for other pages. */
function isPressedHere({ headers }: IncomingMessage, origin: string): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined ? headers.origin === new URL(origin).origin : site === 'same-origin'
}
