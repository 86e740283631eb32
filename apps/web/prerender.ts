import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fontRulesFile, islandPageFile, prerenderedPages } from '@astropelago/contract/pages'
import {
  siteKindName,
  siteKinds,
  siteNamePlaceholder,
  type SiteKind,
} from '@astropelago/contract/site'
import * as v from 'valibot'
import { buildDir } from './build-dir.ts'

const dist = join(buildDir, 'dist')
const serverDist = join(buildDir, 'dist-ssr')

interface Page {
  readonly path: keyof typeof prerenderedPages
  /** The module that renders the page, as named in the manifest. */
  readonly module: string
  readonly title: string
  readonly description: string
}

const pages: readonly Page[] = [
  {
    path: '/',
    module: 'src/features/landing/landing-page.tsx',
    title: `${siteNamePlaceholder} · The community-powered meta-network`,
    description:
      'Explore islands run by fellow Navigators, connect a device of your own, and watch it come online. Free to host, no port-forwarding.',
  },
  {
    path: '/explore',
    module: 'src/explore-with-parts.tsx',
    title: `Explore · ${siteNamePlaceholder}`,
    description: `Community-hosted islands, the lounge, and the modules of ${siteNamePlaceholder}: see what is there before you sign in.`,
  },
  {
    path: '/harbor-logs',
    module: 'src/harbor-logs-with-parts.tsx',
    title: `Harbor Logs · ${siteNamePlaceholder}`,
    description: `What happens on the islands of ${siteNamePlaceholder}: when they open and close, what their hosts announce, and what visitors write.`,
  },
]

const Manifest = v.record(
  v.string(),
  v.object({ file: v.string(), imports: v.optional(v.array(v.string()), []) }),
)
type RenderPage = (path: string, kind: SiteKind) => Promise<string>
const Renderer = v.object({
  renderPage: v.custom<RenderPage>((value) => typeof value === 'function'),
})

/** The parts of a build that pages are made from. */
interface Built {
  readonly template: string
  readonly manifest: v.InferOutput<typeof Manifest>
  readonly renderPage: RenderPage
}

/** Writes the public pages as HTML files in the build, so that they can be read before any script runs. */
export async function prerender(): Promise<void> {
  const built = await readBuilt()
  for (const kind of siteKinds) {
    const folder = join(dist, 'pages', siteKindName(kind))
    await mkdir(folder, { recursive: true })
    for (const page of pages) {
      await writeFile(
        join(folder, prerenderedPages[page.path]),
        await prerendered(page, kind, built),
      )
    }
  }
  await writeFile(join(dist, 'pages', fontRulesFile), await readFontRules())
  // The server adds the content about the island.
  await writeFile(
    join(dist, 'pages', islandPageFile),
    built.template.replace('</head>', `${preloadsOf('src/island-with-parts.tsx', built)}</head>`),
  )
}

async function readBuilt(): Promise<Built> {
  const template = await preloadFonts(join(dist, 'index.html'))
  const manifestText = await readFile(join(dist, '.vite/manifest.json'), 'utf8')
  const manifest = v.parse(Manifest, JSON.parse(manifestText))
  const { renderPage } = v.parse(Renderer, await import(join(serverDist, 'render-page.js')))
  return { template, manifest, renderPage }
}

/**
 * Adds preloads of the fonts. Without them, text first appears in another font and moves when its own
 * arrives.
 * @returns the page with the preloads, after writing it to disk
 */
async function preloadFonts(file: string): Promise<string> {
  const fonts = (await readdir(join(dist, 'assets'))).filter((name) =>
    /^(inter|space-grotesk)-latin-wght-normal-.*\.woff2$/.test(name),
  )
  const preloads = fonts.map(
    (name) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="/assets/${name}">`,
  )
  const page = await readFile(file, 'utf8')
  const withPreloads = page.replace('</head>', `${preloads.join('\n    ')}\n  </head>`)
  await writeFile(file, withPreloads)
  return withPreloads
}

/** The CSS rules of the web app's fonts and of their fallbacks while loading. */
async function readFontRules(): Promise<string> {
  const assets = join(dist, 'assets')
  const sheets = (await readdir(assets)).filter((name) => name.endsWith('.css'))
  const texts = await Promise.all(sheets.map((name) => readFile(join(assets, name), 'utf8')))
  const rules = texts.flatMap((text) => text.match(/@font-face\{[^}]*\}/g) ?? [])
  if (rules.length === 0) throw new Error('The build has no rules of fonts')
  return `${rules.join('\n')}\n`
}

async function prerendered(page: Page, kind: SiteKind, built: Built): Promise<string> {
  const root = await built.renderPage(page.path, kind)
  const address = `ASTROPELAGO_PUBLIC_URL${page.path}`
  return built.template
    .replace(/<title>.*<\/title>/, `<title>${page.title}</title>`)
    .replace(/(<meta\s+name="description"\s+content=)"[^"]*"/, `$1"${page.description}"`)
    .replace(/(<meta\s+property="og:title"\s+content=)"[^"]*"/, `$1"${page.title}"`)
    .replace(/(<meta\s+property="og:description"\s+content=)"[^"]*"/, `$1"${page.description}"`)
    .replace(/(<meta\s+property="og:url"\s+content=)"[^"]*"/, `$1"${address}"`)
    .replace(/<noscript>.*<\/noscript>\s*/, '')
    .replace('</head>', `${headOf(page, address, built)}</head>`)
    .replace('<div id="root"></div>', `<div id="root">${root}</div>`)
}

function headOf({ module }: Page, address: string, built: Built): string {
  return `<link rel="canonical" href="${address}">\n    ${preloadsOf(module, built)}`
}

/** Links that preload the code of a page. */
function preloadsOf(module: string, { template, manifest }: Built): string {
  const files = new Set<string>()
  const add = (name: string) => {
    const chunk = manifest[name]
    if (chunk === undefined || files.has(chunk.file)) return
    files.add(chunk.file)
    for (const imported of chunk.imports) add(imported)
  }
  add(module)
  const preloads = [...files]
    .filter((file) => !template.includes(file))
    .map(
      (file) => `<link rel="modulepreload" crossorigin href="/${file}" nonce="ASTROPELAGO_NONCE">`,
    )
  return [...preloads, ''].join('\n    ')
}
