import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { indexTowns, searchTowns } from '../apps/web/src/lib/towns/search-towns.ts'

const budgetBytes = 300_000
/** For one search, far less than the frame that a key press may take. */
const searchBudgetMs = 5
const assets = new URL('../apps/web/dist/assets/', import.meta.url)

/** The list of towns in the build. */
function builtTowns(): string {
  const [file, ...others] = readdirSync(assets).filter((name) => /^towns-[\w-]+\.json$/.test(name))
  if (file === undefined || others.length > 0)
    throw new Error('The build has not one list of towns')
  return readFileSync(new URL(file, assets), 'utf8')
}

test('the list of towns stays within its budget', () => {
  const bytes = gzipSync(builtTowns()).length
  process.stdout.write(`towns: ${(bytes / 1000).toFixed(1)} of ${budgetBytes / 1000} kB gzip\n`)
  expect(bytes).toBeLessThanOrEqual(budgetBytes)
})

test('the list has the 20,000 largest towns in order, and a search is fast', () => {
  const towns = indexTowns(JSON.parse(builtTowns()))
  expect(towns.count).toBeGreaterThanOrEqual(20_000)
  expect(searchTowns(towns, 'vienna', 1)).toEqual([
    { name: 'Vienna', region: 'Austria', lat: 48.208, lon: 16.372 },
  ])
  // Names in the local language match too, even without accents.
  expect(searchTowns(towns, 'munchen', 1)).toMatchObject([{ name: 'München', region: 'Germany' }])
  const timesMs = ['a', 'san', 'york, united', 's, zz', 'nowhere'].map((typed) => {
    const startMs = performance.now()
    searchTowns(towns, typed, 8)
    return performance.now() - startMs
  })
  expect(timesMs.toSorted((one, other) => one - other)[2]).toBeLessThan(searchBudgetMs)
})
