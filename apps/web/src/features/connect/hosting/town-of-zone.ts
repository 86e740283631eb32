import { foldName, searchTowns, type Town, type Towns } from '../../../lib/towns/search-towns.ts'

export function browserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** The city in a time zone's name, such as New York; undefined if the name has no city. */
export function cityOfZone(zone: string): string | undefined {
  const parts = zone.split('/')
  return parts.length < 2 || parts[0] === 'Etc' ? undefined : parts.at(-1)?.replaceAll('_', ' ')
}

export function townOfCity(towns: Towns, city: string): Town | undefined {
  const [town] = searchTowns(towns, city, 1)
  return town !== undefined && foldName(town.name).startsWith(foldName(city)) ? town : undefined
}
