import type { IncomingMessage, ServerResponse } from 'node:http'
import { loungeSlug } from '@astropelago/contract/pages'
import type { Clock } from '../../../clock.ts'
import type { WatchedSession } from '../../../http/watch-session.ts'
import {
  isLetIn,
  type EntryRights,
  type RelayedIsland,
  type RelayedIslands,
} from '../relayed-islands.ts'
import type { IslandPages } from '../visitors/island-pages.ts'
import type { Transfers } from '../visitors/transfers.ts'
import { createAdmission } from './admission.ts'
import { isVisit } from './browser-requests.ts'
import { createAccessCookies } from './access-cookies.ts'
import {
  forget,
  openInBrowserFirst,
  nothingHere,
  sendFirstVisit,
  sendLine,
} from './access-pages.ts'
import { GrantConnections } from './grant-connections.ts'
import { Grants, type SessionHolder, type Grant } from './grants.ts'
import type { GrantsStore } from './grants-store.ts'
import { goOnPath, EntryFlow } from './entry-flow.ts'

/** What the relay needs from islands and accounts to identify visitors. `app.ts` hands it in. */
export interface WhoComes {
  /** What each of these users may do on an island. */
  readonly readRights: (
    islandKey: number,
    userKeys: readonly number[],
  ) => Promise<(userKey: number) => EntryRights>
  /** The user of a session; undefined once it has ended. */
  readonly findSessionHolder: (sessionHash: Uint8Array) => Promise<SessionHolder | undefined>
  /** Watches a session while transfers depend on it. */
  readonly watchSessionOf: (session: Pick<Grant, 'sessionHash' | 'userKey'>) => WatchedSession
}

interface RelayDoorsOptions extends WhoComes {
  readonly publicUrl: string
  readonly pages: Pick<IslandPages, 'siteName' | 'send'>
  readonly islands: Pick<RelayedIslands, 'find' | 'findBySlug'>
  readonly store: GrantsStore
  readonly transfers: Transfers
  readonly clock: Clock
  /** The network of a request, as rate limits distinguish networks. */
  readonly networkOf: (request: IncomingMessage) => string
}

export type RelayAccess = ReturnType<typeof createRelayAccess>

/** Lets visitors in to islands, leads them through signing in, and makes them leave. */
export function createRelayAccess(options: RelayDoorsOptions) {
  const { publicUrl, pages, islands, readRights, transfers } = options
  const cookies = createAccessCookies(publicUrl)
  const visits = new Grants({
    ...options,
    rightsOn: async (islandKey, userKey) => (await readRights(islandKey, [userKey]))(userKey),
  })
  const connections = new GrantConnections({
    transfers,
    watchSession: options.watchSessionOf,
    mayAnybodyEnter: (islandKey) => {
      const island = islands.find(islandKey)
      return island?.isStopped === false && island.mayAnybodyEnter
    },
    whoMayEnter: async (islandKey, userKeys) => {
      const rightsOf = await readRights(islandKey, userKeys)
      const island = islands.find(islandKey)
      if (island?.isStopped !== false) return () => false
      return (userKey) => isLetIn(island, rightsOf(userKey))
    },
  })
  const admission = createAdmission({ ...options, visits, cookies })
  /** The lounge's host name redirects to its page unless somebody hosts it at home. */
  const isLoungeAlone = (slug: string) =>
    slug === loungeSlug && islands.findBySlug(slug) === undefined
  const entryFlow = new EntryFlow({ ...options, cookies, admission })

  return {
    admit: admission.admit,
    entryFlow,
    transfersOf: (visit: Grant | null): Pick<Transfers, 'begin'> => ({
      begin: connections.of(visit),
    }),
    /** Call it when who may enter an island, or the identity it sees of a visitor, may have changed. */
    noteChange: (islandKey: number) => {
      visits.forget(islandKey)
      void connections.check(islandKey)
    },
    /**
     * Sends a page request to the site, which knows the user and what the user may know. Everything else
     * gets 404.
     */
    sendElsewhere: (
      request: IncomingMessage,
      response: ServerResponse,
      host: { readonly slug: string; readonly authority: string; readonly path: string },
    ) => {
      // Here a visit cookie is one that was looked up and refused, so what the island stored is cleared.
      // Other sites' pages can't cause that, because their requests carry none of our cookies.
      const headers = cookies.read(request, 'visit') === undefined ? {} : forget
      if (!isVisit(request)) sendLine(request, response, { ...nothingHere, headers })
      else if (isLoungeAlone(host.slug)) {
        const location = `${publicUrl}/islands/${loungeSlug}`
        sendLine(request, response, { status: 302, headers: { ...headers, location } })
      } else entryFlow.leadToSite(request, response, host, { headers })
    },
    sendFirstVisit: (
      request: IncomingMessage,
      response: ServerResponse,
      { path }: { readonly path: string },
      island: RelayedIsland,
    ) => {
      if (!isVisit(request)) {
        sendLine(request, response, { status: 403, text: openInBrowserFirst })
        return
      }
      const goOn = `${goOnPath}?${new URLSearchParams({ to: path }).toString()}`
      const frontPage = `${publicUrl}/islands/${island.slug}`
      sendFirstVisit(pages, request, response, island, { goOn, frontPage })
    },
  }
}
