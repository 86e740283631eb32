import { streamsPerAddress } from '@astropelago/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { FeatureBase } from '../../feature-base.ts'
import { StreamSlots } from '../../http/stream-slots.ts'
import { IslandStreams } from './island-streams.ts'
import { OwnStreams } from './own-streams.ts'
import type { StreamDevices, StreamIslands } from './stream-sources.ts'
import { streamsRoutes, type StreamsRoutesParts } from './streams-routes.ts'

/** Proxies cut connections that are idle for a while, nginx after 60 s. */
const beatMs = 15_000
/** Each costs a socket and its memory, and a query for its session with every beat. */
const streamsMax = 5000
const currentMs = 500

interface StreamsFeatureOptions {
  readonly islands: StreamIslands
  readonly devices: Omit<StreamDevices, 'listenFlips' | 'listenReports'>
  readonly presence: { readonly listen: StreamDevices['listenFlips'] }
  readonly reports: { readonly listen: StreamDevices['listenReports'] }
}

/**
 * Live events on one's own devices and islands, and on single islands for those who may know about them.
 */
export function streamsFeature(
  { cluster, schedule, metrics, log }: FeatureBase,
  { islands, devices, presence, reports }: StreamsFeatureOptions,
) {
  const noteFailure = (error: unknown) =>
    log.error({ err: error }, 'who may know of an island was not read')
  const ofIslands = new IslandStreams(islands, noteFailure)
  const own = new OwnStreams({
    islands,
    devices: {
      ...devices,
      listenFlips: (listener) => presence.listen(listener),
      listenReports: reports.listen,
    },
    noteFailure,
  })
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
    noteReports: () => own.noteReports(),
    routes: (app: FastifyInstance, parts: StreamsRoutesParts) =>
      streamsRoutes(app, { ...parts, islands, ofIslands, own, slots }),
  }
}
