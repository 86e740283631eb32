import { streamsPerAddress } from '@astropelago/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { FeatureBase } from '../../feature-base.ts'
import { StreamSlots } from '../../http/stream-slots.ts'
import type { DevicesFeature } from '../devices/public.ts'
import type { IslandsFeature } from '../islands/public.ts'
import type { PresenceFeature } from '../presence/public.ts'
import { IslandStreams } from './island-streams.ts'
import { OwnStreams } from './own-streams.ts'
import { streamsRoutes, type StreamsRoutesParts } from './streams-routes.ts'

/** Proxies cut connections that are idle for a while, nginx after 60 s. */
const beatMs = 15_000
/** Each costs a socket and its memory, and a query for its session with every beat. */
const streamsMax = 5000
const currentMs = 500

interface StreamsFeatureOptions extends Pick<PresenceFeature, 'presence' | 'reports'> {
  readonly islands: IslandsFeature
  readonly devices: DevicesFeature
}

/** Live events on a user's devices and islands, and on single islands for those who may see them. */
export function streamsFeature(
  { cluster, schedule, metrics, log }: FeatureBase,
  { islands, devices, presence, reports }: StreamsFeatureOptions,
) {
  const onFailure = (error: unknown) =>
    log.error({ err: error }, 'who may know of an island was not read')
  const ofIslands = new IslandStreams(islands, onFailure)
  const own = new OwnStreams({ islands, devices, presence, reports, onFailure })
  const slots = new StreamSlots({ max: streamsMax, perAddress: streamsPerAddress })
  const all = () => [...ofIslands.streams(), ...own.streams()]

  metrics.gauge({
    name: 'astropelago_streams',
    help: 'Connections that listen to one island, or to what is a user’s own',
    read: () => slots.taken,
  })
  schedule.every(beatMs, 'streams did not beat', async () => {
    await Promise.all(all().map((stream) => stream.beat()))
  })
  schedule.every(currentMs, 'streams were not sent away', async () => {
    // Another server may know more by now.
    if (!cluster.isCurrent()) for (const stream of all()) stream.reload()
  })

  return {
    noteReports: () => own.sendReports(),
    routes: (app: FastifyInstance, parts: StreamsRoutesParts) =>
      streamsRoutes(app, { ...parts, islands, ofIslands, own, slots }),
  }
}
