import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const budgetBytes = 140_000
const dist = new URL('../apps/web/dist/', import.meta.url)

test('the entry JavaScript of / stays within its budget', () => {
  const html = readFileSync(new URL('pages/en/prototype/landing.html', dist), 'utf8')
  const files = [...html.matchAll(/"\/(assets\/[^"]+\.js)"/g)].map(([, file]) => file)
  expect(files.length).toBeGreaterThan(1)
  let bytes = 0
  for (const file of new Set(files))
    bytes += gzipSync(readFileSync(new URL(file ?? '', dist))).length
  process.stdout.write(`entry JavaScript of /: ${(bytes / 1000).toFixed(1)} of 140 kB gzip\n`)
  expect(bytes).toBeLessThanOrEqual(budgetBytes)
})

test("an island's page names the files of its own code", () => {
  const html = readFileSync(new URL('pages/en/island.html', dist), 'utf8')
  for (const file of ['island-with-parts', 'contract', 'domain', 'parts']) {
    expect(html).toMatch(new RegExp(`"/assets/${file}-[^"]+\\.js"`))
  }
})

test('spark of islands is at most 7 kB gzip, and brings no schemas', () => {
  const script = readFileSync(new URL('_spark/island.js', dist))
  expect(gzipSync(script).length).toBeLessThanOrEqual(7000)
  expect(script.toString()).not.toContain('kind:`schema`')
})
