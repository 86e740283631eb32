/** Writes the public pages as HTML beside the build, so that they can be read before any script. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { islandPageFile, prerenderedPages } from '@astropelago/contract/pages'
import * as v from 'valibot'
import { buildDir } from './build-dir.ts'

const dist = join(buildDir, 'dist')
const serverDist = join(buildDir, 'dist-ssr')

interface Page {
  readonly path: keyof typeof prerenderedPages
  /** The module that draws it, as the manifest names it. */
  readonly module: string
  readonly title: string
  readonly description: string
}

const pages: readonly Page[] = [
  {
    path: '/',
    module: 'src/features/landing/landing-page.tsx',
    title: 'Astropelago · The community-powered meta-network',
    description:
      'Explore islands run by fellow Navigators, connect a device of your own, and watch it come online. Free to host, no port-forwarding.',
  },
  {
    path: '/explore',
    module: 'src/features/explore/explore-page.tsx',
    title: 'Explore · Astropelago',
    description:
      'Community-hosted islands, the lounge, and the modules of Astropelago: see what is there before you sign in.',
  },
]

const Manifest = v.record(
  v.string(),
  v.object({ file: v.string(), imports: v.optional(v.array(v.string()), []) }),
)
const Renderer = v.object({
  renderPage: v.custom<(path: string) => Promise<string>>((value) => typeof value === 'function'),
})

const template = await readFile(join(dist, 'index.html'), 'utf8')
const manifestText = await readFile(join(dist, '.vite/manifest.json'), 'utf8')
const manifest = v.parse(Manifest, JSON.parse(manifestText))
const { renderPage } = v.parse(Renderer, await import(join(serverDist, 'render-page.js')))

/** Without these, text is drawn in another font first and moves when its own arrives. */
const fontFiles = (await readdir(join(dist, 'assets'))).filter((file) =>
  /^(inter|space-grotesk)-latin-wght-normal-.*\.woff2$/.test(file),
)

await mkdir(join(dist, 'pages'), { recursive: true })
for (const page of pages) {
  await writeFile(join(dist, 'pages', prerenderedPages[page.path]), await prerendered(page))
}
// What it says of an island is the server's to write.
await writeFile(
  join(dist, 'pages', islandPageFile),
  template.replace('</head>', `${preloadsOf('src/island-with-parts.tsx')}</head>`),
)

async function prerendered(page: Page): Promise<string> {
  const address = `ASTROPELAGO_PUBLIC_URL${page.path}`
  return template
    .replace(/<title>.*<\/title>/, `<title>${page.title}</title>`)
    .replace(/(<meta\s+name="description"\s+content=)"[^"]*"/, `$1"${page.description}"`)
    .replace(/(<meta\s+property="og:title"\s+content=)"[^"]*"/, `$1"${page.title}"`)
    .replace(/(<meta\s+property="og:description"\s+content=)"[^"]*"/, `$1"${page.description}"`)
    .replace(/(<meta\s+property="og:url"\s+content=)"[^"]*"/, `$1"${address}"`)
    .replace(/<noscript>.*<\/noscript>\s*/, '')
    .replace('</head>', `${headOf(page, address)}</head>`)
    .replace('<div id="root"></div>', `<div id="root">${await renderPage(page.path)}</div>`)
}

function headOf({ module }: Page, address: string): string {
  return `<link rel="canonical" href="${address}">\n    ${preloadsOf(module)}`
}

/** A page's own code and fonts from the first moment on. */
function preloadsOf(module: string): string {
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
  const fonts = fontFiles.map(
    (file) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="/assets/${file}">`,
  )
  return [...fonts, ...preloads, ''].join('\n    ')
}
