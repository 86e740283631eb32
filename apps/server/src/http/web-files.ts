import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildSettingsFile } from '@astropelago/contract/build-settings'
import { fontRulesFile, pathKind } from '@astropelago/contract/pages'
import fastifyStatic from '@fastify/static'
import { defaultSiteName } from '@astropelago/contract/site'
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import type { Config, SiteLogo } from '../config.ts'
import { siteLogoPath, type SendPage } from './page-html.ts'
import { pushWorkerPolicy, workerPolicy } from './security-headers.ts'

const manifestFile = 'manifest.webmanifest'
const Manifest = v.pipe(v.string(), v.parseJson(), v.looseObject({}))

async function serveNamedManifest(app: FastifyInstance, file: string, name: string): Promise<void> {
  const manifest = v.parse(Manifest, await readFile(file, 'utf8'))
  const named = JSON.stringify({ ...manifest, name, short_name: name })
  app.get(`/${manifestFile}`, async (_, reply) =>
    reply
      .header('cache-control', 'public, max-age=3600')
      .type('application/manifest+json')
      .send(named),
  )
}

export async function webFiles(
  app: FastifyInstance,
  {
    webDir,
    sendPage,
    config: { siteName, siteLogo },
    findLead,
  }: {
    readonly webDir: string
    readonly sendPage: SendPage
    readonly config: Pick<Config, 'siteName' | 'siteLogo'>
    readonly findLead: (path: string, host: string) => Promise<string | undefined>
  },
) {
  const isNamed = siteName !== defaultSiteName
  const pushWorker = join(webDir, 'push-worker.js')
  await app.register(async (files) => {
    files.addHook('onRoute', (route) => {
      route.config = { ...route.config, isFile: true }
    })
    if (siteLogo !== undefined) serveSiteLogo(files, siteLogo)
    if (isNamed) await serveNamedManifest(files, join(webDir, manifestFile), siteName)
    await files.register(fastifyStatic, {
      root: webDir,
      // Registers each file of the build by name, so that no crafted path reaches another one.
      wildcard: false,
      index: false,
      cacheControl: false,
      preCompressed: true,
      globIgnore: [
        '**/*.html',
        `pages/${fontRulesFile}`,
        '.vite/**',
        buildSettingsFile,
        ...(isNamed ? [`${manifestFile}*`] : []),
      ],
      setHeaders: (reply, path) => {
        if (path === pushWorker) {
          // Its name never changes, so browsers ask each time whether it has changed.
          reply.header('cache-control', 'no-cache')
          reply.header('content-security-policy', pushWorkerPolicy)
          return
        }
        const isHashed = path.startsWith(join(webDir, 'assets'))
        reply.header(
          'cache-control',
          isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
        )
        if (/\.js(\.\w+)?$/.test(path)) reply.header('content-security-policy', workerPolicy)
      },
    })
  })

  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/'
    const wantsPage = request.method === 'GET' || request.method === 'HEAD'
    const kind = pathKind(path)
    const isFile = kind === 'unknown' && /\.[^/]*$/.test(path)
    if (!wantsPage || kind === 'server' || isFile) {
      return reply
        .code(404)
        .header('cache-control', 'no-store')
        .type('text/plain')
        .send('Not found')
    }

    const lead = kind === 'page' ? await findLead(path, request.host) : undefined
    if (lead !== undefined) return reply.header('cache-control', 'no-store').redirect(lead, 302)
    return await sendPage(request, reply.code(kind === 'page' ? 200 : 404))
  })
}

/** For an SVG that is opened as a document: it runs nothing, loads nothing and has no origin. */
const logoPolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "frame-ancestors 'none'",
  'sandbox',
].join('; ')

function serveSiteLogo(app: FastifyInstance, logo: SiteLogo): void {
  app.get(siteLogoPath(logo), async (_, reply) =>
    reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('content-security-policy', logoPolicy)
      .type(logo.type)
      .send(logo.content),
  )
}
