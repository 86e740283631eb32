import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeWebDir } from '../test/make-web-dir.ts'
import { pageStyle, readPageFonts } from './drawn-pages.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

test('pages that the server draws use the fonts of the web app’s build from their own host', async () => {
  const fonts = await readPageFonts(await makeWebDir())
  const name = 'inter-latin-wght-normal-abc123.woff2'
  expect([...fonts.files.keys()]).toEqual([name])
  for (const folder of ['/assets/', '/elsewhere/']) {
    const { style, preloads } = pageStyle(fonts, folder)
    expect(style).toContain(`url(${folder}${name})`)
    expect(preloads).toContain(`href="${folder}${name}"`)
  }
})

test('they use its colours', () => {
  const tokens = read('../../../web/src/styles/tokens.css')
  const colours = [...read('./drawn-pages.css').matchAll(/^ {2}(--[^;]+;)/gm)]
  expect(colours.length).toBeGreaterThan(5)
  for (const [, colour = ''] of colours) {
    expect(tokens).toContain(colour.replace('--', '--color-'))
  }
})
