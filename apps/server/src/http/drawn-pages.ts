import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fontRulesFile } from '@astropelago/contract/pages'
import { ConfigError } from '../config.ts'
import { otherBuild } from './build-settings.ts'

const commonStyle = readFileSync(new URL('./drawn-pages.css', import.meta.url), 'utf8')
const assets = '/assets/'
const fontAddresses = /\/assets\/([\w-]+\.woff2)/g

export type PageFonts = Readonly<Awaited<ReturnType<typeof readPageFonts>>>

/** @throws ConfigError where the build has none, as builds of other versions. */
export async function readPageFonts(webDir: string | undefined) {
  if (webDir === undefined) return { rules: '', files: new Map<string, Buffer>() }
  try {
    // CSS, which names files in `/assets/`.
    const rules = await readFile(join(webDir, 'pages', fontRulesFile), 'utf8')
    const read = namesIn(rules).map(
      async (name) => [name, await readFile(join(webDir, 'assets', name))] as const,
    )
    return { rules, files: new Map(await Promise.all(read)) }
  } catch (cause) {
    throw new ConfigError(otherBuild, { cause })
  }
}

/** With HTML that preloads the fonts. @param folder where the host of the page has them */
export function pageStyle({ rules }: Pick<PageFonts, 'rules'>, folder = assets) {
  const preloads = namesIn(rules)
    .filter((name) => name.includes('-latin-wght-'))
    .map(
      (name) =>
        `<link rel="preload" as="font" type="font/woff2" crossorigin href="${folder}${name}">\n`,
    )
  return {
    style: rules.replaceAll(assets, folder) + commonStyle,
    preloads: preloads.join(''),
  }
}

function namesIn(rules: string): readonly string[] {
  return Array.from(rules.matchAll(fontAddresses), ([, name = '']) => name)
}
