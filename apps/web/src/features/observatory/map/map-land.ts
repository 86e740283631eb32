import type { FeatureCollection, MultiLineString, Position } from 'geojson'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'

export interface MapLand {
  readonly land: FeatureCollection
  readonly coasts: MultiLineString
  readonly borders: MultiLineString
}

/** The world for whole-world views, 38 kB. */
export async function loadCoarseLand(): Promise<MapLand> {
  const { default: topology } = await import('world-atlas/countries-110m.json')
  return mapLand(topology)
}

/** The world for close views, 230 kB. */
export async function loadFineLand(): Promise<MapLand> {
  const { default: topology } = await import('world-atlas/countries-50m.json')
  return mapLand(topology)
}

function mapLand(
  topology: Topology<{ countries: GeometryCollection; land: GeometryCollection }>,
): MapLand {
  const { countries, land } = topology.objects
  return {
    land: feature(topology, land),
    coasts: withoutSeam(mesh(topology, countries, (one, other) => one === other)),
    borders: mesh(topology, countries, (one, other) => one !== other),
  }
}

/** Land is cut open at the antimeridian; that cut is no coast. */
export function withoutSeam({ coordinates }: MultiLineString): MultiLineString {
  const lines = coordinates.flatMap((line) => {
    const parts: Position[][] = [[]]
    for (const [index, position] of line.entries()) {
      const before = line[index - 1]
      if (before !== undefined && isOnSeam(before) && isOnSeam(position)) parts.push([])
      parts.at(-1)?.push(position)
    }
    return parts.filter((part) => part.length > 1)
  })
  return { type: 'MultiLineString', coordinates: lines }
}

function isOnSeam([lonDeg = 0]: Position): boolean {
  return Math.abs(lonDeg) > 179.999
}
