import { pages, prerenderedPages } from '@astropelago/contract/pages'
import type { FastifyInstance } from 'fastify'
import { markup } from '../../../http/markup.ts'
import type { OwnOrigin } from '../../../http/own-origin.ts'
import { PacedAnswer } from '../../../paced-answer.ts'

/** The limit of one file: https://www.sitemaps.org/protocol.html. */
const addressesMax = 50_000

export interface SitemapParts {
  readonly ownOrigin: OwnOrigin
  readonly listGuides: () => Promise<readonly string[]>
  /** Newest first, in parts. */
  readonly listListed: (limit: number) => AsyncIterable<readonly string[]>
}

export async function sitemap(
  app: FastifyInstance,
  { ownOrigin, listGuides, listListed }: SitemapParts,
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
