import { liveFeed, streamFeed } from '@astropelago/contract/feed'
import { feedsPerAddress } from '@astropelago/contract/limits'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { DomainError } from '../../domain-error.ts'
import {
  eventStream,
  eventStreamHeaders,
  eventStreamRetry,
  openEventStream,
} from '../../http/event-stream.ts'
import type { OwnOrigin } from '../../http/own-origin.ts'
import type { Serve } from '../../http/serve-route.ts'
import { addressKey, type RateLimits } from '../../http/rate-limits.ts'
import { StreamSlots } from '../../http/stream-slots.ts'
import type { DevicesFeature } from '../devices/public.ts'
import { reloadJson, type Feed, type FeedReader } from './feed.ts'
import { webSocketReader } from './web-socket-reader.ts'

/** Each costs a socket and about 20 kB. More of them would take memory that heartbeats need. */
const feedsMax = 10_000
const farewellMs = 1000

export interface FeedRoutesParts {
  readonly serve: Serve
  readonly list: DevicesFeature['list']
  readonly ownOrigin: OwnOrigin
  readonly limits: Pick<RateLimits, 'isExempt'>
}

interface FeedRoutesOptions extends FeedRoutesParts {
  readonly feed: Feed
  readonly reach: (since: string) => Promise<void>
}

export async function feedRoutes(app: FastifyInstance, options: FeedRoutesOptions) {
  const { serve, feed, reach, list, ownOrigin, limits } = options
  const slots = new StreamSlots({ max: feedsMax, perAddress: feedsPerAddress })

  const takeSlot = (request: FastifyRequest): (() => void) => {
    const release = slots.take(addressKey(request), { isExempt: limits.isExempt(request) })
    const { socket } = request.raw
    // If the client has left while the server waited for its database, no `close` event follows.
    if (socket.closed) release()
    else socket.once('close', release)
    return release
  }

  const listen = (reader: FeedReader, since: string | undefined) => {
    const latest = list.latest()
    if (since === undefined && latest !== undefined) feed.start(reader, latest)
    else feed.resume(reader, since ?? '')
  }

  serve(app, streamFeed, async ({ query, request, reply }) => {
    const lastEventId = request.headers['last-event-id']
    const since = typeof lastEventId === 'string' ? lastEventId : query.since
    if (since !== undefined) await reach(since)
    if (since !== undefined && !feed.knows(since)) {
      const reload = eventStream.message(reloadJson, undefined)
      reply.headers(eventStreamHeaders).send(`${eventStreamRetry}${reload.toString()}`)
      return undefined
    }
    const release = takeSlot(request)
    reply.raw.once('close', release)
    if (since === undefined) await list.prepared()
    const reader = openEventStream(reply)
    if (reply.raw.closed) return undefined
    reply.raw.once('close', () => feed.leave(reader))
    listen(reader, since)
    return undefined
  })

  serve(
    app,
    liveFeed,
    async () => {
      throw new DomainError('upgrade_required')
    },
    {
      webSocket: {
        beforeUpgrade: async (request) => {
          const { origin } = request.headers
          if (origin !== undefined && origin !== ownOrigin(request)) {
            throw new DomainError('cross_site')
          }
          takeSlot(request)
          const since = readSince(request)
          await (since === undefined ? list.prepared() : reach(since))
        },
        accept: (socket, request) => {
          const reader = webSocketReader(socket, request.raw.socket)
          socket.on('close', () => feed.leave(reader))
          listen(reader, readSince(request))
        },
      },
    },
  )

  app.addHook('preClose', async () => {
    feed.end()
    setTimeout(() => feed.beat(), farewellMs).unref()
  })
}

function readSince({ query }: FastifyRequest): string | undefined {
  return v.parse(liveFeed.query, query).since
}
