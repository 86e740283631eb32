import {
  directoryPageLength,
  getIslandChart,
  listCarriedIslands,
  listIslands,
} from '@astropelago/contract/island-directory'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../../domain-error.ts'
import { matchesEtag } from '../../../http/negotiation.ts'
import type { Serve } from '../../../http/serve-route.ts'
import { fits, type DirectoryPlace } from './directory-order.ts'
import type { islandChart } from './island-chart.ts'
import type { ListedIslands } from './listed-islands.ts'

interface DirectoryRoutesOptions {
  readonly serve: Serve
  readonly listed: ListedIslands
  readonly readCarried: () => Promise<{ readonly etag: string; readonly json: Buffer }>
  readonly readChart: ReturnType<typeof islandChart>
  /** Resolves when memory has all changes by this server so far. */
  readonly whenTakenOver: () => Promise<void>
}

export async function directoryRoutes(
  app: FastifyInstance,
  { serve, listed, readCarried, readChart, whenTakenOver }: DirectoryRoutesOptions,
) {
  serve(app, listIslands, async ({ query }) => {
    const { kind, slug, state, access, sort, after } = query
    const place = after === undefined ? undefined : readPlace(after)
    await whenTakenOver()
    const filter = { kind, isOpenOnly: state === 'open', isPublicOnly: access === 'public' }
    if (slug !== undefined) {
      const card = listed.cardBySlug(slug)
      const islands = card !== undefined && fits(card, filter) ? [card] : []
      return { status: 200, body: { islands, total: islands.length, next: null } }
    }
    const { keys, next } =
      sort === 'open'
        ? listed.order.openFirst(filter, place, directoryPageLength)
        : listed.order.newest(filter, place, directoryPageLength)
    return {
      status: 200,
      body: {
        islands: listed.cards(keys),
        total: listed.order.count(filter),
        next: next === undefined ? null : writePlace(next),
      },
    }
  })

  serve(app, getIslandChart, async () => {
    await whenTakenOver()
    return { status: 200, body: await readChart() }
  })

  serve(
    app,
    listCarriedIslands,
    async ({ request, reply }) => {
      await whenTakenOver()
      const { etag, json } = await readCarried()
      reply.header('cache-control', 'no-cache').header('etag', etag)
      if (matchesEtag(request.headers['if-none-match'], etag)) return { status: 304 }
      reply.type('application/json; charset=utf-8').send(json)
      return undefined
    },
    { answersHead: true },
  )
}

function writePlace({ isOpen, publishedMs, id }: DirectoryPlace): string {
  return `${isOpen ? 'o' : 'c'}${publishedMs}-${id}`
}

const placePattern = /^([oc])(\d{1,15})-(.+)$/

function readPlace(text: string): DirectoryPlace {
  const [, state, publishedMs, id] = placePattern.exec(text) ?? []
  if (id === undefined) throw new DomainError('invalid_input')
  return { isOpen: state === 'o', publishedMs: Number(publishedMs), id }
}
