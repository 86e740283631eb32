import { prerenderedPages } from '@astropelago/contract/pages'
import type { FastifyInstance } from 'fastify'
import { escapeHtml } from '../../../http/escape-html.ts'
import type { OwnOrigin } from '../../../http/own-origin.ts'

/** What one file may name: https://www.sitemaps.org/protocol.html. */
const addressesMax = 50_000
/** One that is hidden is out of it within a second, and whoever asks all the time has it read once in one. */
const keptMs = 900

export interface SitemapParts {
  readonly ownOrigin: OwnOrigin
  /** Slugs of listed islands, the newest first. */
  readonly listListed: (limit: number) => Promise<readonly string[]>
}

/** What search engines read first: the public pages and every listed island. */
export async function sitemap(app: FastifyInstance, { ownOrigin, listListed }: SitemapParts) {
  let kept: { readonly untilMs: number; readonly paths: Promise<readonly string[]> } | undefined

  const readPaths = async () => {
    const slugs = await listListed(addressesMax - Object.keys(prerenderedPages).length)
    return [...Object.keys(prerenderedPages), ...slugs.map((slug) => `/islands/${slug}`)]
  }

  app.get('/sitemap.xml', async (request, reply) => {
    const nowMs = performance.now()
    if (kept === undefined || kept.untilMs < nowMs) {
      kept = { untilMs: nowMs + keptMs, paths: readPaths() }
      // A failure is told to those who wait for it now; the next one tries again.
      kept.paths.catch(() => (kept = undefined))
    }
    const origin = escapeHtml(ownOrigin(request))
    const addresses = (await kept.paths).map((path) => `<url><loc>${origin}${path}</loc></url>`)
    return reply
      .header('cache-control', 'no-cache')
      .type('application/xml; charset=utf-8')
      .send(
        `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${addresses.join('\n')}\n</urlset>\n`,
      )
  })

  app.get('/robots.txt', async (request, reply) =>
    reply
      .header('cache-control', 'public, max-age=3600')
      .type('text/plain; charset=utf-8')
      .send(`User-agent: *\nDisallow: /api\nSitemap: ${ownOrigin(request)}/sitemap.xml\n`),
  )
}
