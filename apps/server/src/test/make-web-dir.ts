import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { type BuildSettings, buildSettingsFile } from '@astropelago/contract/build-settings'
import { languages } from '@astropelago/contract/languages'
import {
  appPageFile,
  fontRulesFile,
  islandPageFile,
  prerenderedPages,
} from '@astropelago/contract/pages'
import { siteKindName, siteKinds } from '@astropelago/contract/site'
import { makeTempDir, type WhenOver } from './open-test-storage.ts'

/** A small build of the web app, beside a secret file that nobody may reach. */
export async function makeWebDir(
  build: Partial<BuildSettings> = {},
  whenOver?: WhenOver,
): Promise<string> {
  const parent = await makeTempDir(whenOver)
  const webDir = join(parent, 'dist')
  await mkdir(join(webDir, 'assets'), { recursive: true })
  await writeFile(join(parent, 'secret.txt'), 'top secret')
  const english = `<!doctype html><html lang="en" data-site="ASTROPELAGO_SITE" data-links="ASTROPELAGO_LINKS" data-name="ASTROPELAGO_NAME" data-logo="ASTROPELAGO_LOGO"><head><title>ASTROPELAGO_NAME</title>
<link rel="canonical" href="ASTROPELAGO_PUBLIC_URL/">
<script type="module" nonce="ASTROPELAGO_NONCE" src="/assets/main-abc123.js"></script>
<style nonce="ASTROPELAGO_NONCE"></style></head>
<body><div id="root"></div></body></html>`
  const settings: BuildSettings = {
    hasMapsKey: false,
    deviceUpdateOrigin: null,
    live: 'sse',
    guides: [],
    ...build,
  }
  await writeFile(join(webDir, buildSettingsFile), JSON.stringify(settings))
  const preload = '<link rel="modulepreload" href="/assets/island-abc123.js">'
  for (const language of languages) {
    const index = english.replace('lang="en"', `lang="${language}"`)
    const languageDir = join(webDir, 'pages', language)
    const folders = siteKinds.map((kind) => join(languageDir, siteKindName(kind)))
    for (const folder of folders) await mkdir(folder, { recursive: true })
    for (const [path, name] of Object.entries(prerenderedPages)) {
      const html = index.replace('>ASTROPELAGO_NAME<', `>${path}<`)
      for (const folder of folders) await writeFile(join(folder, name), html)
    }
    await writeFile(join(languageDir, appPageFile), index)
    await writeFile(
      join(languageDir, islandPageFile),
      index.replace('</head>', `${preload}</head>`),
    )
  }
  const font = 'inter-latin-wght-normal-abc123.woff2'
  await writeFile(join(webDir, 'assets', font), 'a font')
  await writeFile(
    join(webDir, 'pages', fontRulesFile),
    `@font-face{font-family:Inter Variable;src:url(/assets/${font})format("woff2-variations")}`,
  )
  await writeFile(join(webDir, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(webDir, 'push-worker.js'), 'self')
  const manifest = { name: 'Astropelago', short_name: 'Astropelago', scope: '/' }
  await writeFile(join(webDir, 'manifest.webmanifest'), JSON.stringify(manifest))
  const script = join(webDir, 'assets', 'main-abc123.js')
  await writeFile(script, 'export {}')
  await writeFile(`${script}.br`, brotliCompressSync('export {}'))
  await writeFile(`${script}.gz`, gzipSync('export {}'))
  return webDir
}
