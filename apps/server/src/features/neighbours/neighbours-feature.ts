import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import type { FeatureBase } from '../../feature-base.ts'
import { hourlyLimit } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve-route.ts'
import type { PublicMessages } from '../../public-messages.ts'
import type { DirectoryFeature } from './directory/directory-feature.ts'
import { deleteGone, Following } from './following/following.ts'
import type {
  NeighbourRecord,
  StoredDevice,
  StoredIsland,
  SubjectKind,
} from './following/neighbours-store.ts'
import { HiddenSubject, publishNeighbours } from './following/publish-neighbours.ts'
import { readExamples } from './following/read-examples.ts'
import { presentDevice, presentIsland, ShownNeighbours } from './following/shown-neighbours.ts'
import { sqlNeighboursStore } from './following/sql-neighbours-store.ts'
import { neighboursRoutes } from './neighbours-routes.ts'
import { operatorNeighboursRoutes } from './operator-neighbours-routes.ts'

const tickMs = 1000
const sweepMs = 60_000
const previewsPerHour = 120

export type NeighboursFeature = Awaited<ReturnType<typeof neighboursFeature>>

/** Installations that this one follows, and what is shown of them. */
export async function neighboursFeature(
  base: FeatureBase,
  {
    messages,
    directory,
  }: {
    readonly messages: PublicMessages
    readonly directory: DirectoryFeature
  },
) {
  const { storage, cluster, changes, clock, log, schedule, metrics } = base
  const { address } = directory.installation
  const store = sqlNeighboursStore(storage)
  const shown = new ShownNeighbours({ store, messages, clock })
  const { begin, publish, publishAll, publishHidden, publishShown } = publishNeighbours(
    messages,
    shown,
  )
  await begin()
  const follow = {
    outgoing: directory.outgoing,
    readAbout: directory.readAbout,
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
  schedule.everyOnLeader(sweepMs, 'expired data of neighbours was not deleted', async () => {
    await publishShown()
    await deleteGone(store, clock())
    following.recount()
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
    if (!cluster.leads()) return
    const hidden = v.safeParse(HiddenSubject, details)
    for (const key of keys) {
      if (hidden.success) await publishHidden(key, hidden.output)
      else await publishShown(key)
    }
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

  const shownOf = async <Hit extends StoredDevice | StoredIsland, Shown>(
    kind: SubjectKind,
    hits: readonly Hit[],
    present: (neighbour: NeighbourRecord, hit: Hit) => Shown,
  ) => {
    const byKey = await shown.byKey()
    const all = hits.map(async (hit) => {
      const { neighbourKey, id } = hit
      const neighbour = byKey.get(neighbourKey)
      const isHidden = await shown.isHidden(neighbourKey, { kind, id })
      if (neighbour === undefined || isHidden) return []
      return { ...hit, shown: present(neighbour.record, hit) }
    })
    return (await Promise.all(all)).flat()
  }

  return {
    /** As of a second ago at most. */
    isBlocked: (other: string): boolean => blocked.has(other),
    /** What the search may show of what it found. */
    found: {
      shownDevices: <Hit extends StoredDevice>(hits: readonly Hit[]) =>
        shownOf('device', hits, presentDevice),
      shownIslands: <Hit extends StoredIsland>(hits: readonly Hit[]) =>
        shownOf('island', hits, presentIsland),
    },
    routes: async (app: FastifyInstance, { serve }: { readonly serve: Serve }) => {
      await neighboursRoutes(app, { serve, store, shown })
      const limitPreviews = hourlyLimit(previewsPerHour, cluster.size)
      await operatorNeighboursRoutes(app, {
        serve,
        store,
        following,
        directory,
        readExamples: readExamples(follow),
        address,
        clock,
        limitPreviews: () => limitPreviews('operator'),
      })
    },
    stop: () => following.stop(),
  }
}
