import type { Follower } from '@astropelago/contract/operator-neighbours'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import type { FeatureBase } from '../../feature-base.ts'
import { hourlyLimit } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve-route.ts'
import { createOutgoing, hostNamesOf } from '../../outgoing/outgoing.ts'
import type { PublicMessages } from '../../public-messages.ts'
import { deleteGone, Following } from './following/following.ts'
import type { StoredDevice, StoredIsland } from './following/neighbours-store.ts'
import { publishNeighbours } from './following/publish-neighbours.ts'
import { readExamples } from './following/read-examples.ts'
import { presentDevice, presentIsland, ShownNeighbours } from './following/shown-neighbours.ts'
import { sqlNeighboursStore } from './following/sql-neighbours-store.ts'
import { openInstallation } from './installation.ts'
import { neighboursRoutes } from './neighbours-routes.ts'
import { operatorNeighboursRoutes } from './operator-neighbours-routes.ts'
import { aboutReader } from './read-about.ts'
import { sqlInstallationStore } from './sql-installation-store.ts'

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
  }: {
    readonly config: Pick<
      Config,
      'publicUrl' | 'relayDomain' | 'instanceUrl' | 'allowsPrivateTargets'
    >
    readonly messages: PublicMessages
  },
) {
  const { storage, cluster, changes, clock, log, schedule, metrics } = base
  const address = new URL(config.publicUrl).origin
  const installation = await openInstallation(sqlInstallationStore(storage), { address, clock })
  const store = sqlNeighboursStore(storage)
  const outgoing = createOutgoing({
    clock,
    ownHosts: hostNamesOf(config),
    allowsPrivate: config.allowsPrivateTargets,
  })
  const shown = new ShownNeighbours({ store, messages, clock })
  const { publish, publishAll, publishShown } = publishNeighbours(messages, shown)
  const follow = {
    outgoing,
    readAbout: aboutReader(outgoing, clock),
    installation: installation.read,
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
    for (const key of keys) following.forgetRetry(key)
    await following.tick()
    if (cluster.leads()) for (const key of keys) await publishShown(key)
  })
  cluster.onLead(async () => {
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
    installation,
    isBlocked: async (other: string): Promise<boolean> =>
      (await store.list()).some((one) => one.address === other && one.state === 'blocked'),
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
    routes: async (
      app: FastifyInstance,
      {
        serve,
        directory,
      }: {
        readonly serve: Serve
        readonly directory: {
          readonly listFollowers: () => Promise<Follower[]>
          readonly countShared: () => { readonly islands: number; readonly devices: number }
        }
      },
    ) => {
      await neighboursRoutes(app, { serve, store, shown })
      const limitPreviews = hourlyLimit(previewsPerHour, cluster.size)
      await operatorNeighboursRoutes(app, {
        serve,
        store,
        following,
        installation,
        readAbout: follow.readAbout,
        readExamples: readExamples(follow),
        ...directory,
        address,
        clock,
        limitPreviews: () => limitPreviews('operator'),
      })
    },
    stop: () => following.stop(),
  }
}
