import {
  listNeighbourDevices,
  listNeighbourIslands,
  listNeighbours,
} from '@astropelago/contract/neighbours'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../domain-error.ts'
import { acceptsEncoding, matchesEtag } from '../../http/negotiation.ts'
import type { Serve } from '../../http/serve-route.ts'
import type { NeighboursStore } from './following/neighbours-store.ts'
import {
  presentIsland,
  presentNeighbour,
  type ShownNeighbours,
} from './following/shown-neighbours.ts'

const pageLength = 24
/** More digits are no key of a row. */
const placePattern = /^([01])\.(\d{1,9})$/

/** What everybody may see of neighbours. */
export async function neighboursRoutes(
  app: FastifyInstance,
  {
    serve,
    store,
    shown,
  }: {
    readonly serve: Serve
    readonly store: Pick<NeighboursStore, 'listIslands'>
    readonly shown: ShownNeighbours
  },
) {
  serve(app, listNeighbours, async () => {
    const byKey = await shown.byKey()
    return { status: 200, body: { neighbours: [...byKey.values()].map(presentNeighbour) } }
  })

  serve(app, listNeighbourDevices, async ({ request, reply }) => {
    const { etag, json, gzipped } = await shown.devices()
    const headers = { 'cache-control': 'no-cache', etag, vary: 'accept-encoding' }
    reply.headers(headers)
    if (matchesEtag(request.headers['if-none-match'], etag)) return { status: 304 }
    reply.type('application/json; charset=utf-8')
    if (acceptsEncoding(request.headers['accept-encoding'], 'gzip')) {
      reply.header('content-encoding', 'gzip').send(gzipped)
    } else reply.send(json)
    return undefined
  })

  serve(app, listNeighbourIslands, async ({ query }) => {
    const { kind, state, access, of, after, limit = pageLength } = query
    const place = after === undefined ? undefined : placePattern.exec(after)
    if (place === null) throw new DomainError('invalid_input')
    const byKey = await shown.byKey()
    const ids = of?.split(',')
    const keys = [...byKey.values()]
      .filter(({ record }) => ids?.includes(record.id) ?? true)
      .map(({ record }) => record.key)
    const { islands, total } = await store.listIslands({
      neighbourKeys: keys,
      kind,
      isOpen: state === 'open' ? true : undefined,
      access: access === 'public' ? 'public' : undefined,
      after: place && { isOpen: place[1] === '1', key: Number(place[2]) },
      limit: limit + 1,
    })
    const page = islands.slice(0, limit)
    const last = islands.length > limit ? page.at(-1) : undefined
    return {
      status: 200,
      body: {
        islands: page.flatMap((island) => {
          const neighbour = byKey.get(island.neighbourKey)
          return neighbour === undefined ? [] : presentIsland(neighbour.record, island)
        }),
        total,
        next: last === undefined ? null : `${Number(last.isOpen)}.${last.key}`,
      },
    }
  })
}
