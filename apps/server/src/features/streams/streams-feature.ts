import { streamsPerAddress } from '@astropelago/contract/limits'
import {
  streamIsland,
  streamOwn,
  type IslandMessage,
  type OwnMessage,
} from '@astropelago/contract/streams'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../../domain-error.ts'
import type { FeatureBase } from '../../feature-base.ts'
import { openEventStream } from '../../http/event-stream.ts'
import { addressKey, type RateLimits } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve-route.ts'
import { StreamSlots } from '../../http/stream-slots.ts'
import type { AccountsFeature } from '../accounts/public.ts'
import type { DevicesFeature } from '../devices/public.ts'
import type { IslandsFeature } from '../islands/public.ts'
import type { PresenceFeature } from '../presence/public.ts'
import { IslandStreams } from './island-streams.ts'
import { MessageStream } from './message-stream.ts'
import { OwnStreams } from './own-streams.ts'
import { RecentKeys } from './recent-keys.ts'

/** Proxies cut connections that are idle for a while, nginx after 60 s. */
const beatMs = 15_000
/** Each costs a socket and its memory, and a query for its session with every beat. */
const streamsMax = 5000
const currentMs = 500

interface StreamsRoutesParts extends Pick<AccountsFeature, 'findUser' | 'watchSession'> {
  readonly serve: Serve
  readonly limits: Pick<RateLimits, 'isExempt'>
}

export function streamsFeature(
  { cluster, schedule, metrics, log, clock }: FeatureBase,
  options: Pick<PresenceFeature, 'presence' | 'reports'> & {
    readonly islands: IslandsFeature
    readonly devices: DevicesFeature
  },
) {
  const { islands } = options

  const onFailure = (error: unknown) =>
    log.error({ err: error }, 'who may know of an island was not read')
  const ofIslands = new IslandStreams(islands, onFailure)
  const own = new OwnStreams({ ...options, onFailure })
  const recent = { devices: new RecentKeys(clock), islands: new RecentKeys(clock) }
  // Who owned what changed may be unknown by now, so it concerns everybody.
  const ownership = new RecentKeys(clock)
  options.devices.listen((key) => ownership.add([key]))
  options.presence.listen((keys) => recent.devices.add(keys))
  options.reports.listen((stored) => recent.devices.add(stored.map(({ deviceKey }) => deviceKey)))
  islands.listen(({ kind, islandKey }) => {
    recent.islands.add([islandKey])
    if (kind !== 'open' && kind !== 'log') ownership.add([islandKey])
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

  const routes = async (app: FastifyInstance, parts: StreamsRoutesParts) => {
    const { serve, findUser, watchSession, limits } = parts

    const open = async <Message extends IslandMessage | OwnMessage>(
      { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
      userKey: number | null,
      join: (stream: MessageStream<Message>) => Promise<(() => void) | undefined>,
      hasChanged: () => boolean,
    ) => {
      const release = slots.take(addressKey(request), { isExempt: limits.isExempt(request) })
      whenClosed(reply, release)
      // Until the session has ended, or is another user's.
      const mayRead = async () => userKey === null || (await findUser(request))?.userKey === userKey
      const stream = new MessageStream<Message>({ mayRead, after })
      if (userKey !== null) {
        const session = watchSession(request, userKey)
        session.signal.addEventListener('abort', () => stream.cutOff())
        whenClosed(reply, session.stop)
      }
      const leave = await join(stream)
      if (leave === undefined) throw new DomainError('not_found')
      stream.open(openEventStream(reply), hasChanged())
      whenClosed(reply, leave)
      return undefined
    }

    serve(app, streamOwn, async ({ user, request, reply }) =>
      open<OwnMessage>(
        { request, reply },
        user.userKey,
        (stream) => own.join(user, stream),
        () => ownership.some(() => true) || own.hasAny(user.userKey, recent),
      ),
    )

    serve(app, streamIsland, async ({ params, request, reply }) => {
      const userKey = (await findUser(request))?.userKey ?? null
      const { islandKey } = await islands.findVisible(userKey, params.id)
      return await open<IslandMessage>(
        { request, reply },
        userKey,
        (stream) => ofIslands.join(islandKey, { stream, userKey, islandId: params.id }),
        () => recent.islands.some((key) => key === islandKey),
      )
    })

    app.addHook('preClose', async () => {
      for (const stream of all()) stream.destroy()
    })
  }

  return { sendReports: () => own.sendReports(), routes }
}

/** At once if the connection has closed already, since that is not signalled again. */
function whenClosed({ raw }: FastifyReply, act: () => void): void {
  if (raw.closed) act()
  else raw.once('close', act)
}

function after(ms: number, act: () => void): void {
  setTimeout(act, ms).unref()
}
