import {
  devicesGeoJson,
  devicesGraphJson,
  devicesMeshviewer,
  devicesNodesJson,
} from '@astropelago/contract/embeds'
import type { FastifyInstance } from 'fastify'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { DomainError } from '../../domain-error.ts'
import { acceptsEncoding, matchesEtag } from '../../http/negotiation.ts'
import type { Serve } from '../../http/serve-route.ts'
import { forAnyPage, prepareAnswer, sendPrepared } from './cached-answers.ts'
import type { EmbedRoute } from './serve-embed.ts'
import { geoJson, graphJson, meshviewer, nodesJson, type MapFormat } from './map-format.ts'
import { createMapTurns, PublicMap } from './public-map.ts'

/** With 100,000 devices, inflating takes a core for a third of a second. Few clients refuse gzip. */
const inflatedAtOnce = 4

interface MapRoutesOptions extends Pick<
  ConstructorParameters<typeof PublicMap>[0],
  'read' | 'changes' | 'clock'
> {
  readonly serve: Serve
  readonly publicUrl: string
  readonly onWithdraw: (listener: () => void) => void
}

export function mapRoutes(app: FastifyInstance, options: MapRoutesOptions): void {
  const { serve, publicUrl, onWithdraw, ...parts } = options
  const turns = createMapTurns({ clock: parts.clock })
  let inflated = 0

  const serveMap = (route: EmbedRoute, format: MapFormat) => {
    const map = new PublicMap({ ...parts, format, turns })
    onWithdraw(() => map.withdraw())
    serve<EmbedRoute, undefined | { readonly status: 304 }>(
      app,
      route,
      async ({ request, reply }) => {
        const { etag, gzip } = await map.get()
        // If the client has left, no `close` event would follow to free the slot.
        if (reply.raw.closed) return undefined
        const isUnchanged = matchesEtag(request.headers['if-none-match'], etag)
        const isCompressed = acceptsEncoding(request.headers['accept-encoding'], 'gzip')
        if (!isUnchanged && !isCompressed && inflated >= inflatedAtOnce) {
          throw new DomainError('overloaded', { retryAfterS: 1 })
        }
        reply.headers({ ...forAnyPage, vary: 'accept-encoding', etag })
        if (isUnchanged) return { status: 304 }
        reply.type(format.type)
        if (isCompressed) {
          reply.header('content-encoding', 'gzip').send(gzip)
          return undefined
        }
        inflated += 1
        reply.raw.once('close', () => {
          inflated -= 1
        })
        reply.send(Readable.from([gzip]).pipe(createGunzip()))
        return undefined
      },
    )
  }
  serveMap(devicesGeoJson, geoJson(publicUrl))
  serveMap(devicesMeshviewer, meshviewer)
  serveMap(devicesNodesJson, nodesJson)
  const graph = prepareAnswer(graphJson, 'application/json; charset=utf-8')
  serve<EmbedRoute, undefined | { readonly status: 304 }>(
    app,
    devicesGraphJson,
    async ({ request, reply }) => sendPrepared(request, reply, graph),
  )
}
