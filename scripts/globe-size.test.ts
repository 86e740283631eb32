import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const globeBudgetBytes = 20_000
const landBudgetBytes = 25_000
const dist = new URL('../apps/web/dist/', import.meta.url)
const pagePath = 'src/observatory-with-reports.tsx'
const globePath = 'src/features/observatory/globe-panel/globe-panel.tsx'
const mapPath = 'src/features/observatory/map/built-in-map.ts'

/** The build's manifest, with an entry for each chunk. */
const manifest: unknown = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'))

function chunkOf(name: string) {
  const chunk = partOf(manifest, name)
  const file = partOf(chunk, 'file')
  if (typeof file !== 'string') throw new Error(`The build has no ${name}`)
  return {
    file,
    imports: textsOf(partOf(chunk, 'imports')),
    assets: textsOf(partOf(chunk, 'assets')),
  }
}

function partOf(whole: unknown, name: string): unknown {
  return typeof whole === 'object' && whole !== null ? Reflect.get(whole, name) : undefined
}

function textsOf(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : []
}

/** A chunk and everything that it imports. */
function withImports(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  for (const imported of chunkOf(name).imports) withImports(imported, found)
  return found
}

function gzipBytes(file: string): number {
  return gzipSync(readFileSync(new URL(file, dist))).length
}

function report(what: string, bytes: number, budgetBytes: number) {
  process.stdout.write(`${what}: ${(bytes / 1000).toFixed(1)} of ${budgetBytes / 1000} kB gzip\n`)
}

test('the globe’s engine and its panel together stay within their budget', () => {
  const engine = chunkOf(globePath).imports.filter((name) => name.startsWith('_globe-'))
  expect(engine).toHaveLength(1)
  let bytes = 0
  for (const name of [globePath, ...engine]) bytes += gzipBytes(chunkOf(name).file)
  report('globe', bytes, globeBudgetBytes)
  expect(bytes).toBeLessThanOrEqual(globeBudgetBytes)
})

test('the first land that the globe draws stays within its budget', () => {
  const land = [...withImports(globePath)]
    .flatMap((name) => chunkOf(name).assets)
    .filter((file) => file.includes('land-'))
  expect(land).toHaveLength(1)
  const bytes = gzipBytes(land[0] ?? '')
  report('land', bytes, landBudgetBytes)
  expect(bytes).toBeLessThanOrEqual(landBudgetBytes)
})

test('globe, map and page are separate chunks', () => {
  const page = withImports(pagePath)
  expect([...page].filter((name) => /globe|map-surface|built-in-map/.test(name))).toEqual([])
  expect(withImports(globePath)).not.toContain(mapPath)
  // Only MapLibre is larger. Nothing else in the app is a tenth of its size.
  for (const name of new Set([...page, ...withImports(globePath)])) {
    expect(gzipBytes(chunkOf(name).file)).toBeLessThan(150_000)
  }
  expect(gzipBytes(chunkOf(mapPath).file)).toBeGreaterThan(150_000)
})
