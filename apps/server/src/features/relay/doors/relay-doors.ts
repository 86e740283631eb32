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
import { createDoorCookies } from './door-cookies.ts'
import { forget, lookAtItFirst, nothingHere, sendFirstVisit, sendLine } from './door-pages.ts'
import { Passages } from './passages.ts'
import { Visits, type SessionHolder, type Visit } from './visits.ts'
import type { VisitsStore } from './visits-store.ts'
import { goOnPath, WayIn } from './way-in.ts'

/** What the relay asks of islands and accounts, to know who comes; `app.ts` hands it in. */
export interface WhoComes {
  /** What each of these users may of an island. */
  readonly readRights: (
    islandKey: number,
    userKeys: readonly number[],
  ) => Promise<(userKey: number) => EntryRights>
  /** Whose session it is; undefined once it has ended. */
  readonly findSessionHolder: (sessionHash: Uint8Array) => Promise<SessionHolder | undefined>
  /** Watches a session for as long as something is under way by it. */
  readonly watchSessionOf: (session: Pick<Visit, 'sessionHash' | 'userKey'>) => WatchedSession
}

interface RelayDoorsOptions extends WhoComes {
  readonly publicUrl: string
  readonly pages: Pick<IslandPages, 'siteName' | 'send'>
  readonly islands: Pick<RelayedIslands, 'find' | 'findBySlug'>
  readonly store: VisitsStore
  readonly transfers: Transfers
  readonly clock: Clock
  /** Where a request comes from, as far as limits tell it apart. */
  readonly networkOf: (request: IncomingMessage) => string
}

export type RelayDoors = ReturnType<typeof createRelayDoors>

/** Who is let in to islands, how they come there, and when they have to go. */
export function createRelayDoors(options: RelayDoorsOptions) {
  const { publicUrl, pages, islands, readRights, transfers } = options
  const cookies = createDoorCookies(publicUrl)
  const visits = new Visits({
    ...options,
    rightsOn: async (islandKey, userKey) => (await readRights(islandKey, [userKey]))(userKey),
  })
  const passages = new Passages({
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
  /** Its host name leads to its page for as long as nobody hosts it at home. */
  const isLoungeAlone = (slug: string) =>
    slug === loungeSlug && islands.findBySlug(slug) === undefined
  const wayIn = new WayIn({ ...options, cookies, admission })

  return {
    admit: admission.admit,
    wayIn,
    transfersOf: (visit: Visit | null): Pick<Transfers, 'begin'> => ({ begin: passages.of(visit) }),
    /** To be called when who may enter an island, or what it is told, may be another. */
    noteChange: (islandKey: number) => {
      visits.forget(islandKey)
      void passages.check(islandKey)
    },
    /** A page goes to the site, which knows who asks and what that one may know; all else finds nothing. */
    sendElsewhere: (
      request: IncomingMessage,
      response: ServerResponse,
      host: { readonly slug: string; readonly authority: string; readonly path: string },
    ) => {
      // Only a cookie that was looked up and refused comes here. Whoever was let in before keeps nothing of it.
      // Others' pages can't make a browser say so: with their requests it sends no cookie of ours.
      const headers = cookies.read(request, 'visit') === undefined ? {} : forget
      if (!isVisit(request)) sendLine(request, response, { ...nothingHere, headers })
      else if (isLoungeAlone(host.slug)) {
        const location = `${publicUrl}/islands/${loungeSlug}`
        sendLine(request, response, { status: 302, headers: { ...headers, location } })
      } else wayIn.leadToSite(request, response, host, { headers })
    },
    sendFirstVisit: (
      request: IncomingMessage,
      response: ServerResponse,
      { path }: { readonly path: string },
      island: RelayedIsland,
    ) => {
      if (!isVisit(request)) {
        sendLine(request, response, { status: 403, text: lookAtItFirst })
        return
      }
      const goOn = `${goOnPath}?${new URLSearchParams({ to: path }).toString()}`
      const frontPage = `${publicUrl}/islands/${island.slug}`
      sendFirstVisit(pages, request, response, island, { goOn, frontPage })
    },
  }
}
