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
import type { UserCaller } from '../../http/callers.ts'
import { openEventStream } from '../../http/event-stream.ts'
import { addressKey, type RateLimits } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve-route.ts'
import { StreamSlots } from '../../http/stream-slots.ts'
import type { WatchSession } from '../../http/watch-session.ts'
import type { DevicesFeature } from '../devices/public.ts'
import type { IslandsFeature } from '../islands/public.ts'
import type { PresenceFeature } from '../presence/public.ts'
import { IslandStreams } from './island-streams.ts'
import { MessageStream } from './message-stream.ts'
import { OwnStreams } from './own-streams.ts'

/** Proxies cut connections that are idle for a while, nginx after 60 s. */
const beatMs = 15_000
/** Each costs a socket and its memory, and a query for its session with every beat. */
const streamsMax = 5000
const currentMs = 500

interface StreamsFeatureOptions extends Pick<PresenceFeature, 'presence' | 'reports'> {
  readonly islands: IslandsFeature
  readonly devices: DevicesFeature
}

interface StreamsRoutesParts {
  readonly serve: Serve
  /** The signed-in user; undefined for a visitor. */
  readonly findUser: (request: FastifyRequest) => Promise<UserCaller | undefined>
  readonly watchSession: WatchSession
  readonly limits: Pick<RateLimits, 'isExempt'>
}

interface Connection {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
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

  const routes = async (app: FastifyInstance, parts: StreamsRoutesParts) => {
    const { serve, findUser, watchSession, limits } = parts

    /** Takes a slot for at most as long as the connection lasts. */
    const takeSlot = ({ request, reply }: Connection) => {
      const release = slots.take(addressKey(request), { isExempt: limits.isExempt(request) })
      whenClosed(reply, release)
    }
    const endWithSession = (
      { request, reply }: Connection,
      userKey: number,
      stream: Pick<MessageStream<never>, 'cutOff'>,
    ) => {
      const session = watchSession(request, userKey)
      session.signal.addEventListener('abort', () => stream.cutOff())
      whenClosed(reply, session.stop)
    }
    /** Until the session has ended, or is another user's. */
    const isStill = (request: FastifyRequest, userKey: number) => async () =>
      (await findUser(request))?.userKey === userKey

    serve(app, streamOwn, async ({ user, request, reply }) => {
      takeSlot({ request, reply })
      const mayRead = isStill(request, user.userKey)
      const stream = new MessageStream<OwnMessage>({ mayRead, after })
      endWithSession({ request, reply }, user.userKey, stream)
      open(reply, stream, await own.join(user, stream))
      return undefined
    })

    serve(app, streamIsland, async ({ params, request, reply }) => {
      const userKey = (await findUser(request))?.userKey ?? null
      const { islandKey } = await islands.findVisible(userKey, params.id)
      takeSlot({ request, reply })
      const mayRead = userKey === null ? async () => true : isStill(request, userKey)
      const stream = new MessageStream<IslandMessage>({ mayRead, after })
      if (userKey !== null) endWithSession({ request, reply }, userKey, stream)
      const leave = await ofIslands.join(islandKey, { stream, userKey, islandId: params.id })
      if (leave === undefined) throw new DomainError('not_found')
      open(reply, stream, leave)
      return undefined
    })

    app.addHook('preClose', async () => {
      for (const stream of all()) stream.destroy()
    })
  }

  return { noteReports: () => own.sendReports(), routes }
}

function open(
  reply: FastifyReply,
  stream: Pick<MessageStream<IslandMessage | OwnMessage>, 'open'>,
  leave: () => void,
): void {
  stream.open(openEventStream(reply))
  whenClosed(reply, leave)
}

/** At once if the connection has closed already, since that is not signalled again. */
function whenClosed({ raw }: FastifyReply, act: () => void): void {
  if (raw.closed) act()
  else raw.once('close', act)
}

function after(ms: number, act: () => void): void {
  setTimeout(act, ms).unref()
}
