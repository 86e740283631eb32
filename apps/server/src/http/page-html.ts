import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { hintCookie } from '@astropelago/contract/me'
import { islandPageFile, prerenderedPages } from '@astropelago/contract/pages'
import {
  defaultSiteLogo,
  siteKindName,
  siteLogoPlaceholder,
  siteNamePlaceholder,
} from '@astropelago/contract/site'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ConfigError, type Config } from '../config.ts'
import { otherBuild, readBuildSettings } from './build-settings.ts'
import { escapeHtml } from './markup.ts'
import { acceptsEncoding } from './negotiation.ts'
import type { OwnOrigin } from './own-origin.ts'
import { pageHeaders } from './page-headers.ts'
import { type PageParts, withParts } from './page-parts.ts'
import { siteLogoPath } from './site-logo.ts'

const compress = promisify(gzip)

/** Sends the web app's HTML for the path. Signed-in users don't get `parts`, about an island. */
export type SendPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  parts?: PageParts,
) => Promise<FastifyReply>

/** Reads the HTML of the web app's build once. Each answer gets its own nonce. */
export async function loadPages(
  webDir: string,
  ownOrigin: OwnOrigin,
  config: Pick<Config, 'stage' | 'relayDomain' | 'siteName' | 'siteLogo' | 'siteLinks'>,
): Promise<SendPage> {
  const build = await readBuildSettings(webDir)
  const site = siteKindName({ stage: config.stage, hasRelay: config.relayDomain !== undefined })
  const siteName = escapeHtml(config.siteName)
  const siteLogo = config.siteLogo === undefined ? defaultSiteLogo : siteLogoPath(config.siteLogo)
  const siteLinks = escapeHtml(JSON.stringify(config.siteLinks))
  const read = async (...file: string[]) => {
    try {
      const html = await readFile(join(webDir, ...file), 'utf8')
      return html
        .replaceAll(siteNamePlaceholder, () => siteName)
        .replace('ASTROPELAGO_SITE', site)
        .replaceAll(siteLogoPlaceholder, siteLogo)
        .replace('ASTROPELAGO_LINKS', () => siteLinks)
    } catch (cause) {
      throw new ConfigError(otherBuild, { cause })
    }
  }
  const app = await read('index.html')
  const prerendered = new Map<string, string>()
  for (const [path, file] of Object.entries(prerenderedPages)) {
    prerendered.set(path, await read('pages', site, file))
  }
  const islandPage = await read('pages', islandPageFile)

  return async (request, reply, parts) => {
    const path = request.url.split('?', 1)[0] ?? '/'
    // Prerendered content is for visitors. Signed-in users would see it change before their eyes.
    const isVisitor = request.cookies[hintCookie] === undefined
    const isIsland = parts !== undefined
    const template =
      (isVisitor ? prerendered.get(path) : undefined) ?? (isIsland ? islandPage : app)
    const nonce = randomBytes(16).toString('base64')
    const origin = ownOrigin(request)
    const plain = template
      .replaceAll('ASTROPELAGO_NONCE', nonce)
      .replaceAll('ASTROPELAGO_PUBLIC_URL', origin)
    const html =
      isVisitor && parts !== undefined
        ? withParts(plain, { origin, nonce, siteName: config.siteName }, parts)
        : plain
    reply
      .header('cache-control', 'no-store')
      .headers(pageHeaders(nonce, build, origin))
      .header('vary', 'accept-encoding, cookie')
      .type('text/html; charset=utf-8')
    if (!acceptsEncoding(request.headers['accept-encoding'], 'gzip')) return reply.send(html)
    return reply.header('content-encoding', 'gzip').send(await compress(html))
  }
}
