import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import {
  getStatusPage,
  getStatusPageSettings,
  updateStatusPage,
  type StatusPageSettings,
} from '@astropelago/contract/status-pages'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { DomainError } from '../../domain-error.ts'
import { acceptsEncoding, matchesEtag } from '../../http/negotiation.ts'
import { refuseDemo } from '../../http/refuse-demo.ts'
import type { Serve } from '../../http/serve-route.ts'
import type { StatusPageDrawing } from './draw-status-page.ts'
import { cacheText, type CachedPages, type CachedText } from './cached-pages.ts'
import type { StatusPagesStore } from './status-pages-store.ts'

const decompress = promisify(gunzip)
const Params = v.object({ username: v.string() })

export const defaultSettings: StatusPageSettings = {
  isOn: false,
  title: null,
  devices: [],
  islands: [],
  checks: [],
  frameHosts: [],
}

interface OwnIds {
  readonly devices: ReadonlySet<string>
  readonly islands: ReadonlySet<string>
  readonly checks: ReadonlySet<string>
}

export async function statusPagesRoutes(
  app: FastifyInstance,
  options: {
    readonly serve: Serve
    readonly store: StatusPagesStore
    readonly pages: Pick<CachedPages, 'get' | 'forgetOwners'>
    readonly drawing: StatusPageDrawing
    readonly listOwnIds: (userKey: number) => Promise<OwnIds>
  },
) {
  const { serve, store, pages, drawing, listOwnIds } = options

  serve(app, getStatusPageSettings, async ({ user: { userKey } }) => {
    const [settings = defaultSettings, own] = await Promise.all([
      store.find(userKey),
      listOwnIds(userKey),
    ])
    return { status: 200, body: onlyOwn(settings, own) }
  })

  serve(
    app,
    updateStatusPage,
    async ({ user: { userKey }, body }) => {
      const own = await listOwnIds(userKey)
      const settings = await store.change(userKey, (before = defaultSettings) =>
        onlyOwn({ ...before, ...body }, own),
      )
      pages.forgetOwners([userKey])
      return { status: 200, body: settings }
    },
    { refuseCaller: refuseDemo },
  )

  serve(
    app,
    getStatusPage,
    async ({ params, request, reply }) => {
      const page = await pages.get(params.username)
      if (page === null) throw new DomainError('not_found')
      reply.header('access-control-allow-origin', '*')
      await sendCached(request, reply.type('application/json; charset=utf-8'), page.json)
      return undefined
    },
    { answersHead: true },
  )

  const missing = await cacheText(drawing.drawMissing())
  app.get('/status/:username', async (request, reply) => {
    const page = await pages.get(v.parse(Params, request.params).username)
    // The policy says which hosts may frame the page. This header cannot.
    if (page !== null) reply.removeHeader('x-frame-options')
    reply
      .code(page === null ? 404 : 200)
      .header('content-security-policy', page?.policy ?? drawing.policy('nobody'))
      .type('text/html; charset=utf-8')
    return await sendCached(request, reply, page?.html ?? missing)
  })
}

function onlyOwn(settings: StatusPageSettings, own: OwnIds): StatusPageSettings {
  return {
    ...settings,
    devices: settings.devices.filter((id) => own.devices.has(id)),
    islands: settings.islands.filter((id) => own.islands.has(id)),
    checks: settings.checks.filter((id) => own.checks.has(id)),
  }
}

async function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, gzipped }: CachedText,
): Promise<FastifyReply> {
  const { 'if-none-match': known, 'accept-encoding': encodings } = request.headers
  reply.headers({ 'cache-control': 'no-cache', etag, vary: 'accept-encoding' })
  if (reply.statusCode === 200 && matchesEtag(known, etag)) return reply.code(304).send()
  if (!acceptsEncoding(encodings, 'gzip')) return reply.send(await decompress(gzipped))
  return reply.header('content-encoding', 'gzip').send(gzipped)
}
