import { loungeSlug, pages, prerenderedPages } from '@astropelago/contract/pages'
import { Slug } from '@astropelago/contract/slugs'
import type { IslandView } from '@astropelago/contract/islands'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import type { Config } from '../../../config.ts'
import { DomainError } from '../../../domain-error.ts'
import { markup } from '../../../http/markup.ts'
import { matchesEtag } from '../../../http/negotiation.ts'
import type { SendPage } from '../../../http/page-html.ts'
import { PacedAnswer } from '../../../paced-answer.ts'
import type { IslandsRoutesContext } from '../islands-context.ts'
import { frontPage } from './front-page.ts'
import { LinkPictures } from './link-pictures.ts'

/** The limit of one sitemap: https://www.sitemaps.org/protocol.html. */
const addressesMax = 50_000

export interface IslandPagesParts extends Pick<IslandsRoutesContext, 'findUser' | 'ownOrigin'> {
  readonly sendPage: SendPage
  readonly config: Pick<Config, 'siteName'>
  /** By its slug or an old one; undefined if the viewer may not see it. */
  readonly findView: (viewerKey: number | null, slug: string) => Promise<IslandView | undefined>
  readonly listGuides: () => Promise<readonly string[]>
  /** Newest first, in parts. */
  readonly listListed: (limit: number) => AsyncIterable<readonly string[]>
}

const Params = v.object({ slug: v.string() })

export async function islandPages(app: FastifyInstance, parts: IslandPagesParts): Promise<void> {
  const { sendPage, config, findUser, findView } = parts
  const pictures = new LinkPictures(config.siteName)
  app.addHook('onClose', () => pictures.close())

  const find = async (viewerKey: number | null, request: FastifyRequest) => {
    const { success, output } = v.safeParse(Slug, v.parse(Params, request.params).slug)
    return success ? await findView(viewerKey, output) : undefined
  }
  app.get('/islands/:slug', async (request, reply) => {
    // The HTML is the same for every reader: it has only what everybody may see.
    const view = await find(null, request)
    if (view !== undefined) {
      if (isOld(request, view)) return moved(reply, `/islands/${view.slug}`)
      return await sendPage(request, reply, frontPage(view, config.siteName))
    }
    reply.header('x-robots-tag', 'noindex')
    const user = await findUser(request)
    const own = user === undefined ? undefined : await find(user.userKey, request)
    return await sendPage(request, reply.code(own === undefined ? 404 : 200))
  })

  app.get('/islands/:slug/settings', async (request, reply) => {
    reply.header('x-robots-tag', 'noindex')
    return await sendPage(request, reply)
  })

  app.get('/islands/:slug/picture.png', async (request, reply) => {
    const view = await find(null, request)
    if (view === undefined) {
      reply.code(404).header('cache-control', 'no-store')
      return reply.type('text/plain').send('Not found')
    }
    if (isOld(request, view)) return moved(reply, `/islands/${view.slug}/picture.png`)
    const etag = pictures.etagOf(view)
    // Revalidated each time: a hidden island has no picture any more.
    reply.headers({ 'cache-control': 'no-cache', etag })
    if (!view.isListed) reply.header('x-robots-tag', 'noindex')
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    const png = await readPicture(request, view)
    if (png === undefined) return reply.redirect('/share-picture.png', 302)
    return reply.type('image/png').send(png)
  })

  /** Undefined if this machine can't draw pictures. The site's own picture is better than none. */
  async function readPicture(request: FastifyRequest, view: IslandView) {
    try {
      return await pictures.read(view)
    } catch (error) {
      if (error instanceof DomainError) throw error
      request.log.error({ err: error }, 'a link picture could not be drawn')
      return undefined
    }
  }

  await app.register(sitemap, parts)
}

function isOld(request: FastifyRequest, { slug }: IslandView): boolean {
  return v.parse(Params, request.params).slug !== slug
}

function moved(reply: FastifyReply, to: string): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(to, 301)
}

const ownPages: ReadonlySet<string> = new Set(Object.values(pages))

/** Undefined for all other islands: the web app asks with its reader’s session. */
export async function islandLead(
  findView: IslandPagesParts['findView'],
  path: string,
  loungeAddress: () => string,
): Promise<string | undefined> {
  const { success, output } = v.safeParse(Slug, path.slice(1))
  if (!success || ownPages.has(path)) return undefined
  if (output === loungeSlug) return loungeAddress()
  const view = await findView(null, output)
  return view && `/islands/${view.slug}`
}

async function sitemap(
  app: FastifyInstance,
  { ownOrigin, listGuides, listListed }: IslandPagesParts,
) {
  /** The file for the origin that was asked for last. If PUBLIC_URL is set, there is only one. */
  let cached: { readonly origin: string; readonly file: PacedAnswer<Buffer> } | undefined

  /** 3.4 MB at most, written in parts so that other work does not wait. */
  const write = async (origin: string): Promise<Buffer> => {
    const start = markup`${origin}`.toString()
    const addresses = (paths: readonly string[]) =>
      Buffer.from(paths.map((path) => `<url><loc>${start}${path}</loc></url>\n`).join(''))
    const guides = await listGuides()
    const ownPaths = [
      ...Object.keys(prerenderedPages),
      pages.library,
      ...guides.map((name) => `${pages.library}/${name}`),
    ]
    const parts = [Buffer.from(head), addresses(ownPaths)]
    for await (const slugs of listListed(addressesMax - ownPaths.length)) {
      parts.push(addresses(slugs.map((slug) => `/islands/${slug}`)))
    }
    return Buffer.concat([...parts, Buffer.from('</urlset>\n')])
  }

  app.get('/sitemap.xml', async (request, reply) => {
    const origin = ownOrigin(request)
    if (cached?.origin !== origin) {
      const file = new PacedAnswer({
        make: () => write(origin),
        clock: () => performance.now(),
      })
      cached = { origin, file }
    }
    return reply
      .header('cache-control', 'no-cache')
      .type('application/xml; charset=utf-8')
      .send(await cached.file.get())
  })

  app.get('/robots.txt', async (request, reply) =>
    reply
      .header('cache-control', 'public, max-age=3600')
      .type('text/plain; charset=utf-8')
      .send(`User-agent: *\nDisallow: /api\nSitemap: ${ownOrigin(request)}/sitemap.xml\n`),
  )
}

const head =
  '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
