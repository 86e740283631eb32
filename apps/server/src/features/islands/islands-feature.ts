import type { FastifyInstance } from 'fastify'
import {
  certificatesPerHostAndDay,
  invitationShownDays,
  membershipsPerUser,
} from '@astropelago/contract/limits'
import type { Config } from '../../config.ts'
import { DomainError } from '../../domain-error.ts'
import type { FeatureBase } from '../../feature-base.ts'
import { dayMs } from '../../history/time-spans.ts'
import { hourlyLimit } from '../../http/rate-limits.ts'
import type { Sample } from '../../metrics.ts'
import type { PublicMessages } from '../../public-messages.ts'
import { createRelayAddress } from '../../relay-address.ts'
import { StorageUnavailable } from '../../storage/storage-error.ts'
import type { HistoryFeature } from '../history/public.ts'
import type { PresenceFeature } from '../presence/public.ts'
import { isHost, mayEnter, mayEverybodyKnow, signedOutViewer } from './access-policy.ts'
import { loungeSlug } from '@astropelago/contract/pages'
import { loungeAddress, makeCommunityLounge } from './community-lounge.ts'
import {
  findHostedIsland,
  findIfVisible,
  findIfVisibleBySlug,
  findVisibleIsland,
  isVisible,
  readRights,
  whoMayGetAlerts,
} from './find-island.ts'
import { islandHistoryFeature } from './history/island-history-feature.ts'
import {
  pauseAt,
  presentPause,
  readOpenness,
  readVisibleOpenness,
  type CarrierPresence,
} from './island-openness.ts'
import type { IslandsContext, IslandsRoutesContext } from './islands-context.ts'
import type { IslandUser } from './islands-store.ts'
import { islandsRoutes } from './islands-routes.ts'
import { islandLogsFeature } from './log/island-logs-feature.ts'
import { operatorIslandsRoutes } from './operator/operator-islands-routes.ts'
import { sqlOperatorIslandsStore } from './operator/sql-operator-islands-store.ts'
import { ownIslandsData } from './own-islands-data.ts'
import { islandLead, islandPages, type IslandPagesParts } from './pages/island-pages.ts'
import { invitationsRoutes } from './people/invitations-routes.ts'
import { membersRoutes } from './people/members-routes.ts'
import { sqlInvitationsStore } from './people/sql-invitations-store.ts'
import { sqlPeopleStore } from './people/sql-people-store.ts'
import { addressOf, readCard, viewIsland } from './present-island.ts'
import { CachedIslands } from './public/cached-islands.ts'
import { publicIslands } from './public/public-islands.ts'
import { sqlPublicIslandsStore } from './public/sql-public-islands-store.ts'
import { reportableIslands, reportableLogEntries } from './reportable-islands.ts'
import { oldSlugMs } from './slugs.ts'
import { sqlIslandsStore } from './sql-islands-store.ts'

const pruneMs = 3_600_000
/** Each time a user joins or leaves, the members are notified. */
const joinsPerHour = 60
/** Each change makes all viewers load the island again. */
const changesPerHour = 240
/** More frequent reads of metrics get the same numbers. */
const countedMs = 10_000

interface IslandsFeatureOptions {
  readonly config: Pick<
    Config,
    'publicUrl' | 'relayDomain' | 'tavernUrl' | 'operators' | 'maxIslands' | 'hostsPages'
  >
  readonly presence: Pick<CarrierPresence, 'status' | 'statusSince'>
  readonly devices: Pick<IslandsContext, 'findOwnDeviceKey'>
  readonly messages: PublicMessages
  readonly flips: PresenceFeature['flips']
  readonly history: Pick<HistoryFeature, 'readUnobserved'>
  readonly makesLounge: boolean
}

export async function islandsFeature(base: FeatureBase, options: IslandsFeatureOptions) {
  const { config, messages, flips, makesLounge } = options
  const { storage, cluster, clock, schedule } = base
  const relayAddress = createRelayAddress(config)
  const cached = new CachedIslands({ presence: options.presence, clock })
  const presence: CarrierPresence = {
    status: (deviceKey) => options.presence.status(deviceKey),
    statusSince: (deviceKey) => cached.statusSince(deviceKey),
    clock,
  }
  const { maxIslands, operators } = config
  const islands = sqlIslandsStore(storage, { maxIslands, longReads: storage.longReads })
  const { findOwnDeviceKey } = options.devices
  const hostsPages = config.hostsPages && relayAddress('') !== null
  const reach = { presence, relayAddress, hostsPages, findOwnDeviceKey }
  const context: IslandsContext = { islands, clock, ...reach }
  const limitChanges = hourlyLimit(changesPerHour, cluster.size)
  const limitJoins = hourlyLimit(joinsPerHour, cluster.size)
  const people = sqlPeopleStore(storage)
  const invitations = sqlInvitationsStore(storage)
  const logs = islandLogsFeature(base, flips)
  const operatorIslands = sqlOperatorIslandsStore(storage)
  const rightsOn = (islandKey: number, userKeys: readonly number[]) =>
    readRights(islands, operators, islandKey, userKeys)
  const findView = (viewerKey: number | null, slug: string) => viewIsland(context, viewerKey, slug)

  if (makesLounge) await makeCommunityLounge(islands, clock())
  const publicStore = sqlPublicIslandsStore(storage)
  const { routes: directoryRoutes, ...live } = await publicIslands(
    base,
    publicStore,
    cached,
    messages,
  )
  const { readUnobserved } = options.history
  const observed = { publicStore, cached, presence, listen: live.listen, readUnobserved }
  const history = islandHistoryFeature(base, observed)
  schedule.everyOnLeader(pruneMs, 'old slugs of islands were not deleted', () =>
    islands.deleteOldSlugs(clock() - oldSlugMs),
  )
  schedule.everyOnLeader(pruneMs, 'old invitations were not deleted', () =>
    invitations.deleteExpired(clock() - invitationShownDays * dayMs),
  )
  countIslands(base, context)

  return {
    figures: islands.figures,
    ...live,
    ownData: ownIslandsData(context, people, logs.log, history.store),
    reportable: reportableIslands(context, operatorIslands),
    reportableLogEntry: reportableLogEntries(context, logs.log),
    readOwnLog: logs.readOwn,
    readCards: async (userKey: number | null, slugs: readonly string[]) => {
      const found = await islands.findManyBySlug(userKey, slugs)
      return await Promise.all(found.filter(isVisible).map((one) => readCard(one, presence)))
    },
    /** By its slug or an old one; undefined unless everybody may see it. */
    findForEverybody: async (asked: string) => {
      const found = await findIfVisibleBySlug(context, null, asked)
      if (found === undefined) return undefined
      const { key, id, slug, name } = found.island
      const { isOpen, pause } = await readOpenness(found.island, presence)
      return {
        key,
        id,
        slug,
        name,
        isOpen,
        isPaused: pause !== null,
        readUptimes: () => history.readUptimes(found),
        readOpenings: (limit: number) => history.readOpenings(found, limit),
      }
    },
    /** Everything that may change what a page shows of an island, as soon as it is durable. */
    listenShown: (listener: (islandKey: number, kind: 'changed' | 'gone' | 'open') => void) => {
      base.changes.subscribe('islands', ({ keys }) => {
        for (const key of keys) listener(key, 'changed')
      })
      live.listen(({ kind, islandKey }) => {
        if (kind === 'changed' || kind === 'gone' || kind === 'open') listener(islandKey, kind)
      })
    },
    ports: { onMembersChange: live.served.onPeopleChange },
    listShown: async (hostKey: number) => {
      const hosted = await islands.listHosted(hostKey)
      const shown = hosted.filter(({ island }) => mayEverybodyKnow(island))
      return await Promise.all(
        shown.map(async ({ island }) => {
          const { key, id, slug, name } = island
          const seen = { island, viewer: signedOutViewer }
          const { isOpen, isWatched, since, pause } = await readVisibleOpenness(seen, presence)
          const readPast = () => history.readForEverybody(island)
          return { key, id, slug, name, isOpen, isWatched, since, pause, readPast }
        }),
      )
    },
    listHostedIds: async (hostKey: number) =>
      (await islands.listHosted(hostKey)).map(({ island }) => island.id),
    findLead: (path: string, host: string) =>
      islandLead(findView, path, () => loungeAddress(config, relayAddress, host)),
    pages: (app: FastifyInstance, parts: Omit<IslandPagesParts, 'findView' | 'listListed'>) =>
      islandPages(app, { ...parts, findView, listListed: (limit) => live.listSlugs(limit) }),
    claimCertificate: (slug: string, limit: { readonly atMs: number; readonly sinceMs: number }) =>
      islands.claimCertificate(slug, { ...limit, max: certificatesPerHostAndDay }),
    findVisible: async (viewerKey: number | null, id: string) => {
      const { island } = await findVisibleIsland(islands, viewerKey, id)
      return { islandKey: island.key }
    },
    alerts: {
      readChanges: history.store.readChanges,
      recordedUntilMs: history.recordedUntilMs,
      whoMayGetAlerts: (pairs: readonly IslandUser[]) => whoMayGetAlerts(islands, pairs),
      /** @throws DomainError `not_found` */
      find: async (userKey: number, id: string) => {
        const { island, viewer } = await findVisibleIsland(islands, userKey, id)
        return { key: island.key, id, isOwn: isHost(island, viewer) }
      },
      /** The ids must be distinct. */
      areKnown: async (userKey: number, ids: readonly string[]) => {
        const found = await islands.findManyById(userKey, ids)
        return found.filter(isVisible).length === ids.length
      },
    },
    /** @throws DomainError `not_found` unless the user hosts it */
    findHosted: async (userKey: number, id: string) =>
      (await findHostedIsland(islands, userKey, id)).island,
    lounge: {
      /** Undefined unless it is the installation's, and leads nowhere. */
      findEmpty: async () => {
        const lounge = (await islands.findBySlug(null, loungeSlug, clock()))?.island
        if (lounge === undefined || lounge.isHosted || lounge.isRelayed) return undefined
        return lounge.hostKey === null && lounge.address === null ? lounge : undefined
      },
      host: (key: number) => islands.hostInstallations(key),
    },
    readRights: rightsOn,
    /** Of any island, even one that the caller may not see. @throws DomainError `not_found` */
    findKey: async (id: string) => {
      const [found] = await islands.findManyById(null, [id])
      if (found === undefined) throw new DomainError('not_found')
      return found.island.key
    },
    /** @throws DomainError `not_found` */
    findAccess: async (userKey: number, asked: string) => {
      const found = await findIfVisibleBySlug(context, userKey, asked)
      if (found === undefined) throw new DomainError('not_found')
      const { key: islandKey, slug, name, hostName: host, access, isHosted } = found.island
      const pause = pauseAt(found.island.pause, clock())
      const isKeptOut =
        pause !== null && !(await rightsOn(islandKey, [userKey]))(userKey).entersPaused
      return {
        islandKey,
        slug,
        name,
        host,
        access,
        mayEnter: mayEnter(found.island, found.viewer),
        pause: presentPause(isKeptOut ? pause : null),
        isHosted,
        address: addressOf({ ...found.island, address: null }, relayAddress),
      }
    },
    nameIsland: async (userKey: number, islandId: string) => {
      const found = await findIfVisible(islands, userKey, islandId)
      return found === undefined ? null : { slug: found.island.slug, name: found.island.name }
    },
    listOwn: async (userKey: number) => {
      const joined = await islands.listJoined(userKey, membershipsPerUser)
      const own = await islands.listOwnKeys(userKey)
      return [
        ...own.map((islandKey) => ({ islandKey, mayKnow: true })),
        ...joined.map((found) => ({ islandKey: found.island.key, mayKnow: isVisible(found) })),
      ]
    },
    routes: async (
      app: FastifyInstance,
      parts: Omit<IslandsRoutesContext, keyof IslandsContext>,
    ) => {
      const all = { ...parts, ...context }
      await islandsRoutes(app, { ...all, limitChanges })
      await directoryRoutes(app, all)
      await membersRoutes(app, { ...all, people, limitJoins })
      await invitationsRoutes(app, { ...all, invitations, publicUrl: config.publicUrl })
      await logs.routes(app, all)
      await history.routes(app, all)
      await operatorIslandsRoutes(app, { ...all, operatorIslands })
    },
  }
}

function countIslands(
  { metrics, clock }: Pick<FeatureBase, 'metrics' | 'clock'>,
  { islands }: IslandsContext,
): void {
  let samples: readonly Sample[] = []
  let countedAtMs = Number.NEGATIVE_INFINITY
  const read = async () => {
    if (clock() - countedAtMs < countedMs) return samples
    countedAtMs = clock()
    try {
      const counts = Object.entries(await islands.countByState())
      samples = counts.map(([state, value]) => ({ labels: { state }, value }))
    } catch (error) {
      // Metrics are often read while the storage is down. They then show the last counts.
      if (!(error instanceof StorageUnavailable)) throw error
    }
    return samples
  }
  metrics.gauge({
    name: 'astropelago_islands',
    help: 'Islands of all users by what they are to others, on every server the same ones',
    labels: ['state'],
    read,
  })
}
