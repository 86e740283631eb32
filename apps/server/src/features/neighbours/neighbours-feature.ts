import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import type { FeatureBase } from '../../feature-base.ts'
import { hourlyLimit } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve-route.ts'
import { createOutgoing, hostNamesOf } from '../../outgoing/outgoing.ts'
import type { PublicMessages } from '../../public-messages.ts'
import type { DirectoryFeature } from './directory/directory-feature.ts'
import { deleteGone, Following } from './following/following.ts'
import type { StoredDevice, StoredIsland } from './following/neighbours-store.ts'
import { publishNeighbours } from './following/publish-neighbours.ts'
import { readExamples } from './following/read-examples.ts'
import { presentDevice, presentIsland, ShownNeighbours } from './following/shown-neighbours.ts'
import { sqlNeighboursStore } from './following/sql-neighbours-store.ts'
import { neighboursRoutes } from './neighbours-routes.ts'
import { operatorNeighboursRoutes } from './operator-neighbours-routes.ts'
import { aboutReader } from './read-about.ts'

const tickMs = 1000
const sweepMs = 60_000
const previewsPerHour = 120

export type NeighboursFeature = Awaited<ReturnType<typeof neighboursFeature>>

/** Installations that this one follows, and what is shown of them. */
export async function neighboursFeature(
  base: FeatureBase,
  {
    config,
    messages,
    directory,
  }: {
    readonly config: Pick<
      Config,
      'publicUrl' | 'relayDomain' | 'instanceUrl' | 'allowsPrivateTargets'
    >
    readonly messages: PublicMessages
    readonly directory: DirectoryFeature
  },
) {
  const { storage, cluster, changes, clock, log, schedule, metrics } = base
  const { address } = directory.installation
  const store = sqlNeighboursStore(storage)
  const outgoing = createOutgoing({
    clock,
    ownHosts: hostNamesOf(config),
    allowsPrivate: config.allowsPrivateTargets,
  })
  const shown = new ShownNeighbours({ store, messages, clock })
  const { begin, publish, publishAll, publishShown } = publishNeighbours(messages, shown)
  await begin()
  const follow = {
    outgoing,
    readAbout: aboutReader(outgoing, clock),
    installation: directory.installation.read,
    address,
    clock,
  }
  const following = new Following({
    ...follow,
    store,
    leads: cluster.leads,
    log,
    publish,
    publishAll,
  })

  const readBlocked = async () => {
    const all = await store.list()
    return new Set(all.filter(({ state }) => state === 'blocked').map((one) => one.address))
  }
  let blocked = await readBlocked()

  schedule.every(tickMs, 'neighbours were not followed', () => following.tick())
  schedule.everyOnLeader(sweepMs, 'old things of neighbours were not deleted', async () => {
    await publishShown()
    await deleteGone(store, clock())
  })
  changes.subscribe('neighbours', async ({ keys, details }) => {
    if (details === undefined || details === null) {
      shown.change()
      return
    }
    shown.withdraw()
    if (details === 'resumed') for (const key of keys) following.forgetRetry(key)
    blocked = await readBlocked()
    await following.tick()
    if (cluster.leads()) for (const key of keys) await publishShown(key)
  })
  cluster.onLead(async () => {
    await publishShown()
    for (const key of (await shown.byKey()).keys()) await publishAll({ key })
  })
  metrics.gauge({
    name: 'astropelago_neighbours',
    help: 'Installations that this one follows, by state',
    labels: ['state'],
    read: async () => {
      const byState = Map.groupBy(await store.list(), ({ state }) => state)
      return (['following', 'held', 'blocked'] as const).map((state) => ({
        labels: { state },
        value: byState.get(state)?.length ?? 0,
      }))
    },
  })

  const isShownHit = async (kind: 'device' | 'island', hit: StoredDevice | StoredIsland) =>
    !(await shown.isHidden(hit.neighbourKey, { kind, id: hit.id }))

  return {
    /** As of a second ago at most. */
    isBlocked: (other: string): boolean => blocked.has(other),
    /** What the search may show of what it found. */
    found: {
      shownDevices: async <Hit extends StoredDevice>(hits: readonly Hit[]) => {
        const byKey = await shown.byKey()
        const all = hits.map(async (hit) => {
          const neighbour = byKey.get(hit.neighbourKey)
          if (neighbour === undefined || !(await isShownHit('device', hit))) return []
          return { ...hit, shown: presentDevice(neighbour.record, hit) }
        })
        return (await Promise.all(all)).flat()
      },
      shownIslands: async <Hit extends StoredIsland>(hits: readonly Hit[]) => {
        const byKey = await shown.byKey()
        const all = hits.map(async (hit) => {
          const neighbour = byKey.get(hit.neighbourKey)
          if (neighbour === undefined || !(await isShownHit('island', hit))) return []
          return { ...hit, shown: presentIsland(neighbour.record, hit) }
        })
        return (await Promise.all(all)).flat()
      },
    },
    routes: async (app: FastifyInstance, { serve }: { readonly serve: Serve }) => {
      await neighboursRoutes(app, { serve, store, shown })
      const limitPreviews = hourlyLimit(previewsPerHour, cluster.size)
      await operatorNeighboursRoutes(app, {
        serve,
        store,
        following,
        directory,
        readAbout: follow.readAbout,
        readExamples: readExamples(follow),
        address,
        clock,
        limitPreviews: () => limitPreviews('operator'),
      })
    },
    stop: () => following.stop(),
  }
}
