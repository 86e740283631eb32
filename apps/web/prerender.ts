import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Language, languages } from '@astropelago/contract/languages'
import {
  appPageFile,
  fontRulesFile,
  islandPageFile,
  prerenderedPages,
} from '@astropelago/contract/pages'
import { siteKindName, siteKinds, type SiteKind } from '@astropelago/contract/site'
import * as v from 'valibot'
import { buildDir } from './build-dir.ts'
import { chunkListFile } from './bundle-texts.ts'

const dist = join(buildDir, 'dist')
const serverDist = join(buildDir, 'dist-ssr')

type PagePath = keyof typeof prerenderedPages

/** The module that renders each page, as named in the manifest. */
const pageModules: readonly [path: PagePath, module: string][] = [
  ['/', 'src/features/landing/landing-page.tsx'],
  ['/explore', 'src/explore-with-parts.tsx'],
  ['/harbor-logs', 'src/harbor-logs-with-parts.tsx'],
]

const Manifest = v.record(
  v.string(),
  v.object({ file: v.string(), imports: v.optional(v.array(v.string()), []) }),
)
const ChunkList = v.record(v.string(), v.string())
type RenderPage = (path: string, kind: SiteKind) => Promise<string>
const Texts = v.object({ title: v.string(), description: v.string() })
type Texts = v.InferOutput<typeof Texts>
const Renderer = v.object({
  renderPage: v.custom<RenderPage>((value) => typeof value === 'function'),
  pageTexts: v.object({
    app: v.object({ ...Texts.entries, noScript: v.string(), picture: v.string() }),
    '/': Texts,
    '/explore': Texts,
    '/harbor-logs': Texts,
  }),
})

/** The parts of a build that the pages of a language are made from. */
interface Built extends v.InferOutput<typeof Renderer> {
  readonly language: Language
  /** The HTML of every page, with the English files. */
  readonly template: string
  readonly manifest: v.InferOutput<typeof Manifest>
  /** The files of this language, by the English ones. */
  readonly files: ReadonlyMap<string, string | undefined>
}

/**
 * Writes the HTML of each language. The public pages have their content, so that they can be read before
 * any script runs.
 */
export async function prerender(): Promise<void> {
  const template = await preloadFonts(await readFile(join(dist, 'index.html'), 'utf8'))
  await rm(join(dist, 'index.html'))
  const manifest = v.parse(Manifest, await readJson('.vite/manifest.json'))
  for (const language of languages) {
    const renderer = join(serverDist, language, 'render-page.js')
    const { renderPage, pageTexts } = v.parse(Renderer, await import(renderer))
    const files = await filesIn(language)
    await writePages({ language, template, manifest, files, renderPage, pageTexts })
  }
  for (const language of languages) await rm(join(dist, chunkListFile(language)))
  await writeFile(join(dist, 'pages', fontRulesFile), await readFontRules())
}

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(join(dist, file), 'utf8'))
}

async function filesIn(language: Language): Promise<Built['files']> {
  const english = v.parse(ChunkList, await readJson(chunkListFile(languages[0])))
  const translated = v.parse(ChunkList, await readJson(chunkListFile(language)))
  return new Map(Object.entries(english).map(([chunk, file]) => [file, translated[chunk]]))
}

async function writePages(built: Built): Promise<void> {
  const folder = join(dist, 'pages', built.language)
  await mkdir(folder, { recursive: true })
  const app = withTexts(built.template, built.pageTexts.app, built)
  await writeFile(join(folder, appPageFile), withOwnFiles(app, built))
  // The server adds the content about the island.
  const island = withLateCode(app, 'src/island-with-parts.tsx', built)
  await writeFile(join(folder, islandPageFile), withOwnFiles(island, built))
  for (const kind of siteKinds) {
    const kindFolder = join(folder, siteKindName(kind))
    await mkdir(kindFolder, { recursive: true })
    for (const [path, module] of pageModules) {
      const page = await prerendered(path, { module, kind, app }, built)
      await writeFile(join(kindFolder, prerenderedPages[path]), withOwnFiles(page, built))
    }
  }
}

/**
 * Adds preloads of the fonts. Without them, text first appears in another font and moves when its own
 * arrives.
 */
async function preloadFonts(page: string): Promise<string> {
  const fonts = (await readdir(join(dist, 'assets'))).filter((name) =>
    /^(inter|space-grotesk)-latin-wght-normal-.*\.woff2$/.test(name),
  )
  const preloads = fonts.map(
    (name) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="/assets/${name}">`,
  )
  return page.replace('</head>', `${preloads.join('\n    ')}\n  </head>`)
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

async function prerendered(
  path: PagePath,
  { module, kind, app }: { module: string; kind: SiteKind; app: string },
  built: Built,
): Promise<string> {
  const root = await built.renderPage(path, kind)
  const address = `ASTROPELAGO_PUBLIC_URL${path}`
  const page = withLateCode(app, module, built)
  return withTexts(page, built.pageTexts[path], built)
    .replace(/(<meta\s+property="og:url"\s+content=)"[^"]*"/, `$1"${address}"`)
    .replace(/<noscript>.*<\/noscript>\s*/s, '')
    .replace('</head>', `<link rel="canonical" href="${address}">\n  </head>`)
    .replace('<div id="root"></div>', () => `<div id="root">${root}</div>`)
}

function withTexts(page: string, texts: Texts, { language, pageTexts }: Built): string {
  const [title, description] = [escaped(texts.title), escaped(texts.description)]
  const { app } = pageTexts
  return page
    .replace(/(<html\s+lang=)"[^"]*"/, `$1"${language}"`)
    .replace(/<title>.*<\/title>/, `<title>${title}</title>`)
    .replace(/(<meta\s+name="description"\s+content=)"[^"]*"/, `$1"${description}"`)
    .replace(/(<meta\s+property="og:title"\s+content=)"[^"]*"/, `$1"${title}"`)
    .replace(/(<meta\s+property="og:description"\s+content=)"[^"]*"/, `$1"${description}"`)
    .replace(/(<meta\s+property="og:image:alt"\s+content=)"[^"]*"/, `$1"${escaped(app.picture)}"`)
    .replace(/<noscript\s*>.*<\/noscript\s*>/s, `<noscript>${escaped(app.noScript)}</noscript>`)
}

/** For HTML, and for `replace`, where a dollar sign has a meaning. */
function escaped(text: string): string {
  return text.replaceAll(/[&<>"$]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** The page with the code of its language. */
function withOwnFiles(page: string, { language, files }: Built): string {
  return page.replaceAll(/(?<=")\/(assets\/[^"]+\.js)(?=")/g, (_, file: string) => {
    const own = files.get(file)
    if (own === undefined) throw new Error(`The build has no ${file} in ${language}`)
    return `/${own}`
  })
}

const codeLinks = /\s*<(?:script type="module"|link rel="modulepreload")[^>]*>(?:<\/script>)?/g

/**
 * Loads the code after the first paint: the page can be read before, and on a slow line styles and fonts
 * would arrive later. Hidden tabs are not painted. A button that was pressed meanwhile is pressed again.
 */
function withLateCode(page: string, module: string, { manifest }: Built): string {
  const [, entry] = /<script type="module"[^>]* src="([^"]*)"/.exec(page) ?? []
  if (entry === undefined) throw new Error('index.html has no script')
  const files = JSON.stringify([...filesOf(manifest, 'index.html', module)])
  const script = `{
        let pressed
        const onClick = ({ target }) => { pressed = target.closest('button') }
        addEventListener('click', onClick, true)
        const load = async () => {
          for (const href of ${files}) {
            const preload = { rel: 'modulepreload', crossOrigin: '', nonce: 'ASTROPELAGO_NONCE', href }
            document.head.append(Object.assign(document.createElement('link'), preload))
          }
          try {
            await import("${entry}")
            pressed?.click()
          } catch {
            // The page can still be read.
          }
          removeEventListener('click', onClick, true)
        }
        document.hidden ? load() : requestAnimationFrame(() => setTimeout(load))
      }`
  return page
    .replaceAll(codeLinks, '')
    .replace(
      '</body>',
      () => `<script nonce="ASTROPELAGO_NONCE">\n      ${script}\n    </script>\n  </body>`,
    )
}

/** The files of modules and of all that they import. */
function filesOf(manifest: Built['manifest'], ...modules: readonly string[]): Set<string> {
  const files = new Set<string>()
  const add = (name: string) => {
    const chunk = manifest[name]
    if (chunk === undefined || files.has(`/${chunk.file}`)) return
    files.add(`/${chunk.file}`)
    for (const imported of chunk.imports) add(imported)
  }
  for (const module of modules) add(module)
  return files
}
