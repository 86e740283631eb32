import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { BuildSettings } from '@astropelago/contract/build-settings'
import { type Language, languageCookie, languages } from '@astropelago/contract/languages'
import { hintCookie } from '@astropelago/contract/me'
import { appPageFile, islandPageFile, prerenderedPages } from '@astropelago/contract/pages'
import {
  defaultSiteLogo,
  siteKindName,
  siteLogoPlaceholder,
  siteNamePlaceholder,
} from '@astropelago/contract/site'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ConfigError, type Config, type SiteLogo } from '../config.ts'
import { otherBuild, readBuildSettings } from './build-settings.ts'
import { escapeHtml } from './markup.ts'
import { acceptedLanguage, acceptsEncoding } from './negotiation.ts'
import type { OwnOrigin } from './own-origin.ts'
import { createRelayAddress, previewSlug } from '../relay-address.ts'
import { type PageParts, withParts } from './page-parts.ts'

const compress = promisify(gzip)

/** Sends the web app's HTML for the path. Signed-in users don't get `parts`, about an island. */
export type SendPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  parts?: PageParts,
) => Promise<FastifyReply>

export async function loadPages(
  webDir: string,
  ownOrigin: OwnOrigin,
  config: Pick<
    Config,
    'stage' | 'publicUrl' | 'relayDomain' | 'hostsPages' | 'siteName' | 'siteLogo' | 'siteLinks'
  >,
): Promise<SendPage> {
  const build = await readBuildSettings(webDir)
  const site = siteKindName({ stage: config.stage, hasRelay: config.relayDomain !== undefined })
  const siteName = escapeHtml(config.siteName)
  const preview = config.hostsPages ? createRelayAddress(config)(previewSlug) : null
  const previewOrigin = preview === null ? null : new URL(preview).origin
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
  const readAll = async (language: Language) => {
    const prerendered = new Map<string, string>()
    for (const [path, file] of Object.entries(prerenderedPages)) {
      prerendered.set(path, await read('pages', language, site, file))
    }
    const app = await read('pages', language, appPageFile)
    return { app, prerendered, islandPage: await read('pages', language, islandPageFile) }
  }
  const pages = { en: await readAll('en'), de: await readAll('de') } satisfies Record<
    Language,
    unknown
  >

  return async (request, reply, parts) => {
    const path = request.url.split('?', 1)[0] ?? '/'
    // Prerendered content is for visitors. Signed-in users would see it change before their eyes.
    const isVisitor = request.cookies[hintCookie] === undefined
    const isIsland = parts !== undefined
    const { app, prerendered, islandPage } = pages[languageOf(request)]
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
      .headers(pageHeaders(nonce, { build, origin, previewOrigin }))
      .header('vary', 'accept-encoding, accept-language, cookie')
      .type('text/html; charset=utf-8')
    if (!acceptsEncoding(request.headers['accept-encoding'], 'gzip')) return reply.send(html)
    return reply.header('content-encoding', 'gzip').send(await compress(html))
  }
}

function languageOf({ cookies, headers }: FastifyRequest): Language {
  const chosen = languages.find((language) => language === cookies[languageCookie])
  return chosen ?? acceptedLanguage(headers['accept-language'], languages) ?? languages[0]
}

/** Contains a hash of the picture, so browsers may keep it for ever. */
export function siteLogoPath({ type, content }: SiteLogo): string {
  const name = createHash('sha256').update(content).digest('hex').slice(0, 16)
  return `/assets/logo-${name}.${type === 'image/png' ? 'png' : 'svg'}`
}

function pageHeaders(
  nonce: string,
  { build, origin, previewOrigin }: PageOrigins,
): Record<string, string> {
  const directives = build.hasMapsKey ? mapsDirectives(nonce) : ownDirectives(nonce)
  const added: Readonly<Record<string, readonly string[]>> = {
    'connect-src': calledOrigins(build, origin),
    'frame-src': previewOrigin === null ? [] : [previewOrigin],
  }
  const policy = Object.entries(directives).map(([name, sources]) =>
    [name, ...sources, ...(added[name] ?? [])].join(' '),
  )
  return {
    'content-security-policy': policy.join('; '),
    // A key that is restricted to one website works only if requests name the site they come from.
    ...(build.hasMapsKey && { 'referrer-policy': 'strict-origin-when-cross-origin' }),
  }
}

interface PageOrigins {
  readonly build: BuildSettings
  readonly origin: string
  /** Where the editor's frame shows drafts; null if this server hosts no pages. */
  readonly previewOrigin: string | null
}

function calledOrigins(build: BuildSettings, origin: string): string[] {
  const origins = build.deviceUpdateOrigin === null ? [] : [build.deviceUpdateOrigin]
  // Older browsers take 'self' for HTTP only: https://github.com/w3c/webappsec-csp/issues/7.
  if (build.live === 'websocket') origins.push(origin.replace(/^http/, 'ws'))
  return origins
}

const shared = {
  'default-src': ["'self'"],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
}

function ownDirectives(nonce: string) {
  return {
    ...shared,
    'script-src': ["'self'", `'nonce-${nonce}'`],
    'style-src': ["'self'", `'nonce-${nonce}'`],
    'img-src': ["'self'", 'data:'],
    'connect-src': ["'self'"],
    'frame-src': ["'self'"],
  }
}

/**
 * The strict policy that the maps service documents, plus the web app's own files:
 * https://developers.google.com/maps/documentation/javascript/content-security-policy
 */
function mapsDirectives(nonce: string) {
  return {
    ...shared,
    // With 'strict-dynamic' a script that has the nonce may load others. https: is for older browsers.
    'script-src': [`'nonce-${nonce}'`, "'strict-dynamic'", 'https:', "'unsafe-eval'", 'blob:'],
    'style-src': ["'self'", `'nonce-${nonce}'`, 'https://fonts.googleapis.com'],
    'font-src': ["'self'", 'https://fonts.gstatic.com'],
    'img-src': [
      "'self'",
      'https://*.googleapis.com',
      'https://*.gstatic.com',
      '*.google.com',
      '*.googleusercontent.com',
      'data:',
    ],
    'frame-src': ['*.google.com'],
    'connect-src': [
      "'self'",
      'https://*.googleapis.com',
      '*.google.com',
      'https://*.gstatic.com',
      'data:',
      'blob:',
    ],
    'worker-src': ["'self'", 'blob:'],
  }
}
