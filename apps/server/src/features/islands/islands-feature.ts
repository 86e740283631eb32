import type { FastifyInstance, FastifyRequest } from 'fastify'
import { certificatesPerHostAndDay, membershipsPerUser } from '@astropelago/contract/limits'
import type { Config } from '../../config.ts'
import type { FeatureBase } from '../../feature-base.ts'
import type { TimeSpan } from '../../history/time-spans.ts'
import type { UserCaller } from '../../http/callers.ts'
import type { OwnOrigin } from '../../http/own-origin.ts'
import { hourlyLimit } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve-route.ts'
import { createRelayAddress } from '../../relay-address.ts'
import type { PublicMessages } from '../../public-messages.ts'
import type { CarrierDeps } from './change-island.ts'
import { loungeAddress, makeCommunityLounge } from './community-lounge.ts'
import { isHost, mayEnter, mayEverybodyKnow, mayKnow } from './access-policy.ts'
import { islandHistoryFeature } from './history/island-history-feature.ts'
import { pauseAt, presentPause } from './island-pause.ts'
import { readOpenness, readVisibleOpenness, type CarrierPresence } from './island-openness.ts'
import { islandsMetrics } from './islands-metrics.ts'
import { islandsRoutes } from './islands-routes.ts'
import { islandLogsFeature, type IslandLogsParts } from './log/island-logs-feature.ts'
import type { FlipsToRead } from './log/log-openings.ts'
import {
  operatorIslandsFeature,
  type OperatorIslandsParts,
} from './operator/operator-islands-feature.ts'
import { findVisibleIsland, findVisibleIslandBySlug, unlessUnknown } from './find-island.ts'
import type { IslandUser } from './island-viewers-store.ts'
import { readRights, whoMayGetAlerts } from './island-viewers.ts'
import { ownIslandsData } from './own-islands-data.ts'
import { presentCard } from './present-island.ts'
import { islandLead, islandPages, type IslandPagesParts } from './pages/island-pages.ts'
import { CachedIslands } from './public/cached-islands.ts'
import { publicIslands } from './public/public-islands.ts'
import { sqlPublicIslandsStore } from './public/sql-public-islands-store.ts'
import { sqlRelayOpeningsStore } from './relayed/sql-relay-openings-store.ts'
import { islandPeopleFeature, type IslandPeopleParts } from './people/island-people-feature.ts'
import { oldSlugMs } from './slugs.ts'
import { sqlIslandViewersStore } from './sql-island-viewers-store.ts'
import { sqlIslandsStore } from './sql-islands-store.ts'
import { findIslandView } from './view-island.ts'

const deleteOldSlugsMs = 3_600_000
/** Each change makes everybody who looks at the island load it again. */
const changesPerHour = 240

interface IslandsFeatureOptions {
  /** No pause keeps out `operators`, who are named by their folded usernames. */
  readonly config: Pick<
    Config,
    'publicUrl' | 'relayDomain' | 'tavernUrl' | 'operators' | 'maxIslands'
  >
  readonly presence: Pick<CarrierPresence, 'status' | 'statusSince'>
  readonly devices: Pick<CarrierDeps, 'findOwnDeviceKey'>
  readonly messages: PublicMessages
  readonly flips: FlipsToRead
  /** When no server could see anything, in the last 90 days. */
  readonly history: { readonly readUnobserved: () => Promise<readonly TimeSpan[]> }
  /** Whether the Community Lounge is made where there has been none yet. */
  readonly makesLounge: boolean
}

interface IslandsRoutesParts extends IslandPeopleParts, OperatorIslandsParts, IslandLogsParts {
  readonly serve: Serve
  readonly findUser: (request: FastifyRequest) => Promise<UserCaller | undefined>
  readonly ownOrigin: OwnOrigin
}

/** Islands, who may see and enter them, and their history. */
export async function islandsFeature(base: FeatureBase, options: IslandsFeatureOptions) {
  const { config, messages, flips, makesLounge } = options
  const { publicUrl, tavernUrl, operators, maxIslands } = config
  const { findOwnDeviceKey } = options.devices
  const relayAddress = createRelayAddress(config)
  const { storage, cluster, clock, schedule, metrics } = base
  const inMemory = new CachedIslands({ presence: options.presence, clock })
  const presence: CarrierPresence = {
    status: (deviceKey) => options.presence.status(deviceKey),
    statusSince: (deviceKey) => inMemory.statusSince(deviceKey),
    clock,
  }
  const store = sqlIslandsStore(storage, { maxIslands, longReads: storage.longReads })
  const viewers = sqlIslandViewersStore(storage.db)
  const parts = { store, clock, presence, findOwnDeviceKey, relayAddress }
  const limitChanges = hourlyLimit(changesPerHour, cluster.size)
  const people = islandPeopleFeature(base, { ...parts, publicUrl })
  const logs = islandLogsFeature(base, { ...parts, flips })
  const forOperators = operatorIslandsFeature(base, parts)
  const rightsOn = (islandKey: number, userKeys: readonly number[]) =>
    readRights({ store, viewers, operators }, islandKey, userKeys)

  const findView = (viewerKey: number | null, slug: string) =>
    findIslandView(parts, viewerKey, slug)

  if (makesLounge) await makeCommunityLounge(store, clock())
  const publicStore = sqlPublicIslandsStore(storage.db)
  const { routes, ...live } = await publicIslands(base, {
    store: publicStore,
    relayOpenings: sqlRelayOpeningsStore(storage),
    known: inMemory,
    messages,
  })
  const history = islandHistoryFeature(base, {
    store,
    publicStore,
    known: inMemory,
    presence,
    listen: live.listen,
    readUnobserved: options.history.readUnobserved,
  })
  schedule.everyOnLeader(deleteOldSlugsMs, 'old slugs of islands were not deleted', () =>
    store.deleteOldSlugs(clock() - oldSlugMs),
  )
  islandsMetrics(metrics, parts)

  return {
    store,
    figures: store.figures,
    ...live,
    ownData: [ownIslandsData(parts), people.ownData, logs.ownData, history.ownData],
    reportable: forOperators.reportable,
    reportableLogEntry: logs.reportable,
    /** Entries in the logs of islands that a user hosts or has joined. */
    readOwnLog: logs.readOwn,
    /** By slug, those that the reader may see, in no order. */
    readCards: async (userKey: number | null, slugs: readonly string[]) => {
      const found = await store.findManyBySlug(userKey, slugs)
      const known = found.filter(({ island, viewer }) => mayKnow(island, viewer))
      return await Promise.all(
        known.map(async (one) => presentCard(one.island, await readVisibleOpenness(one, presence))),
      )
    },
    /** By its slug or an old one; undefined unless everybody may see it. */
    findForEverybody: (slug: string) =>
      unlessUnknown(async () => {
        const oldSinceMs = clock() - oldSlugMs
        const found = await findVisibleIslandBySlug(store, null, { slug, oldSinceMs })
        const { key, id, slug: ownSlug, name } = found.island
        const { isOpen, pause } = await readOpenness(found.island, presence)
        return {
          key,
          id,
          slug: ownSlug,
          name,
          isOpen,
          isPaused: pause !== null,
          readUptimes: () => history.readUptimes(found),
          readOpenings: (limit: number) => history.readOpenings(found, limit),
        }
      }),
    /** Everything that may change what a page shows of an island, as soon as it is durable. */
    listenAll: (
      listener: (change: { readonly kind: string; readonly islandKey: number }) => void,
    ) => {
      base.changes.subscribe('islands', ({ keys }) => {
        for (const islandKey of keys) listener({ kind: 'changed', islandKey })
      })
      live.listen(listener)
    },
    /** What the ports of islands need to know. */
    ports: {
      onMembersChange: (listener: (islandKey: number) => void) =>
        live.listen(({ kind, islandKey }) => {
          if (kind === 'members') listener(islandKey)
        }),
    },
    /** Called with each island that may be another one now, or be gone, as soon as that is durable. */
    listenChanges: (listener: (islandKey: number) => void) => {
      base.changes.subscribe('islands', ({ keys }) => keys.forEach(listener))
      live.listen(({ kind, islandKey }) => {
        if (kind === 'changed' || kind === 'gone') listener(islandKey)
      })
    },
    /** The host's islands that everybody may see. */
    listShown: async (hostKey: number) => {
      const hosted = await store.listHosted(hostKey)
      const shown = hosted.filter(({ island }) => mayEverybodyKnow(island))
      return await Promise.all(
        shown.map(async ({ island }) => {
          const { key, id, slug, name } = island
          const { isOpen, isWatched, since, pause } = await readOpenness(island, presence)
          const readPast = () => history.readForEverybody(island)
          return { key, id, slug, name, isOpen, isWatched, since, pause, readPast }
        }),
      )
    },
    listHostedIds: async (hostKey: number) =>
      (await store.listHosted(hostKey)).map(({ island }) => island.id),
    /** Where the path of a bare slug redirects to, if anywhere, on this host. */
    findLead: (path: string, host: string) =>
      islandLead(
        {
          findView,
          loungeAddress: (from) => loungeAddress({ publicUrl, tavernUrl, relayAddress }, from),
        },
        path,
        host,
      ),
    pages: (app: FastifyInstance, pagesParts: Omit<IslandPagesParts, 'findView' | 'listListed'>) =>
      islandPages(app, { ...pagesParts, findView, listListed: (limit) => live.listSlugs(limit) }),
    /** Whether a proxy may get a certificate for a slug, within its host's daily limit. */
    claimCertificate: (slug: string, limit: { readonly atMs: number; readonly sinceMs: number }) =>
      store.claimCertificate(slug, { ...limit, max: certificatesPerHostAndDay }),
    findVisible: async (viewerKey: number | null, id: string) => {
      const { island } = await findVisibleIsland(store, viewerKey, id)
      return { islandKey: island.key }
    },
    /** Which islands opened and closed, and which users may be alerted. */
    alerts: {
      readChanges: history.readChanges,
      recordedUntilMs: history.recordedUntilMs,
      whoMayGetAlerts: (pairs: readonly IslandUser[]) => whoMayGetAlerts(viewers, pairs),
      /**
       * An island that the user may see.
       * @throws DomainError `not_found`
       */
      find: async (userKey: number, id: string) => {
        const { island, viewer } = await findVisibleIsland(store, userKey, id)
        return { key: island.key, id, isOwn: isHost(island, viewer) }
      },
      /** Whether the user may see all of these. The ids must be distinct. */
      areKnown: async (userKey: number, ids: readonly string[]) => {
        const found = await store.findManyById(userKey, ids)
        const known = found.filter(({ island, viewer }) => mayKnow(island, viewer))
        return known.length === ids.length
      },
    },
    readRights: rightsOn,
    /**
     * By its slug or an old one, with what a user may do there.
     * @throws DomainError `not_found`
     */
    findAccess: async (userKey: number, slug: string) => {
      const oldSinceMs = clock() - oldSlugMs
      const { island, viewer } = await findVisibleIslandBySlug(store, userKey, { slug, oldSinceMs })
      const { key: islandKey, name, hostName: host, access } = island
      const address = island.isRelayed ? relayAddress(island.slug) : null
      const isLetIn = mayEnter(island, viewer)
      const pause = pauseAt(island.pause, clock())
      const isKeptOut =
        pause !== null && !(await rightsOn(islandKey, [userKey]))(userKey).entersPaused
      return {
        islandKey,
        slug: island.slug,
        name,
        host,
        access,
        mayEnter: isLetIn,
        pause: presentPause(isKeptOut ? pause : null),
        address,
      }
    },
    /** The island's current slug and name, if the user may see it. */
    nameIsland: async (userKey: number, islandId: string) => {
      const found = await store.findById(userKey, islandId)
      if (found === undefined || !mayKnow(found.island, found.viewer)) return null
      const { slug, name } = found.island
      return { slug, name }
    },
    /** The islands that the user hosts or has joined, and whether the user may see each of them now. */
    listOwn: async (userKey: number) => {
      const joined = await store.listJoined(userKey, membershipsPerUser)
      return [
        ...(await store.listOwnKeys(userKey)).map((islandKey) => ({ islandKey, mayKnow: true })),
        ...joined.map(({ island, viewer }) => ({
          islandKey: island.key,
          mayKnow: mayKnow(island, viewer),
        })),
      ]
    },
    routes: async (app: FastifyInstance, routesParts: IslandsRoutesParts) => {
      await islandsRoutes(app, { ...parts, ...routesParts, limitChanges })
      await routes(app, routesParts)
      await people.routes(app, routesParts)
      await logs.routes(app, routesParts)
      await history.routes(app, routesParts)
      await forOperators.routes(app, routesParts)
    },
  }
}
