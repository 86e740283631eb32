import {
  streamIsland,
  streamOwn,
  type IslandMessage,
  type OwnMessage,
} from '@astropelago/contract/streams'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../../domain-error.ts'
import type { UserCaller } from '../../http/callers.ts'
import { openEventStream } from '../../http/event-stream.ts'
import { addressKey, type RateLimits } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve-route.ts'
import type { StreamSlots } from '../../http/stream-slots.ts'
import type { WatchSession } from '../../http/watch-session.ts'
import type { IslandsFeature } from '../islands/public.ts'
import type { IslandStreams } from './island-streams.ts'
import { MessageStream } from './message-stream.ts'
import type { OwnStreams } from './own-streams.ts'

export interface StreamsRoutesParts {
  readonly serve: Serve
  /** The signed-in user; undefined for a visitor. */
  readonly findUser: (request: FastifyRequest) => Promise<UserCaller | undefined>
  readonly watchSession: WatchSession
  readonly limits: Pick<RateLimits, 'isExempt'>
}

interface StreamsRoutesOptions extends StreamsRoutesParts {
  readonly islands: Pick<IslandsFeature, 'findVisible'>
  readonly ofIslands: IslandStreams
  readonly own: OwnStreams
  readonly slots: StreamSlots
}

export async function streamsRoutes(app: FastifyInstance, options: StreamsRoutesOptions) {
  const { serve, findUser, watchSession, limits, islands, ofIslands, own, slots } = options

  /** Takes a slot for at most as long as the connection lasts. */
  const takeSlot = (request: FastifyRequest, reply: FastifyReply) => {
    const release = slots.take(addressKey(request), { isExempt: limits.isExempt(request) })
    whenClosed(reply, release)
  }
  const endWithSession = (
    { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
    userKey: number,
    stream: Pick<MessageStream<never>, 'cutOff'>,
  ) => {
    const session = watchSession(request, userKey)
    session.signal.addEventListener('abort', () => stream.cutOff())
    whenClosed(reply, session.stop)
  }
  /** Until the session has ended, or is another user's. */
  const isStill = (request: FastifyRequest, userKey: number | null) => async () =>
    ((await findUser(request))?.userKey ?? null) === userKey

  serve(app, streamOwn, async ({ user, request, reply }) => {
    takeSlot(request, reply)
    const mayRead = isStill(request, user.userKey)
    const stream = new MessageStream<OwnMessage>({ mayRead, after })
    endWithSession({ request, reply }, user.userKey, stream)
    open(reply, stream, await own.join(user, stream))
    return undefined
  })

  serve(app, streamIsland, async ({ params, request, reply }) => {
    const userKey = (await findUser(request))?.userKey ?? null
    const { islandKey } = await islands.findVisible(userKey, params.id)
    takeSlot(request, reply)
    const mayRead = userKey === null ? async () => true : isStill(request, userKey)
    const stream = new MessageStream<IslandMessage>({ mayRead, after })
    if (userKey !== null) endWithSession({ request, reply }, userKey, stream)
    const leave = await ofIslands.join(islandKey, { stream, userKey, islandId: params.id })
    if (leave === undefined) throw new DomainError('not_found')
    open(reply, stream, leave)
    return undefined
  })

  app.addHook('preClose', async () => {
    for (const streams of [ofIslands.streams(), own.streams()]) {
      for (const stream of streams) stream.destroy()
    }
  })
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
