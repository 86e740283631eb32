import { feature, mesh } from 'topojson-client'
import type worldAtlas from 'world-atlas/countries-110m.json'
import { unrolledLine, unrolledRing } from '../geometry/longitudes.ts'

/** In GeoJSON. Past the antimeridian, longitudes continue beyond 180 degrees. */
export interface MapLand {
  readonly land: GeoJSON.MultiPolygon
  readonly coasts: GeoJSON.MultiLineString
  readonly borders: GeoJSON.MultiLineString
}

/** The world for low zooms, 38 kB. */
export async function loadCoarseLand(): Promise<MapLand> {
  const { default: topology } = await import('world-atlas/countries-110m.json')
  return mapLand(topology)
}

/** The world for high zooms, 230 kB. */
export async function loadFineLand(): Promise<MapLand> {
  const { default: topology } = await import('world-atlas/countries-50m.json')
  return mapLand(topology)
}

function mapLand(topology: typeof worldAtlas): MapLand {
  const { countries, land } = topology.objects
  return {
    land: flatLand(feature(topology, land)),
    coasts: flatLines(mesh(topology, countries, (one, other) => one === other)),
    borders: flatLines(mesh(topology, countries, (one, other) => one !== other)),
  }
}

function flatLand({ features }: GeoJSON.FeatureCollection): GeoJSON.MultiPolygon {
  const coordinates = features
    .map(({ geometry }) => geometry)
    .filter((geometry): geometry is GeoJSON.Polygon | GeoJSON.MultiPolygon =>
      geometry.type.endsWith('Polygon'),
    )
    .flatMap((geometry) =>
      geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates,
    )
    .map((rings) => rings.map(unrolledRing))
  return { type: 'MultiPolygon', coordinates }
}

function flatLines({ coordinates }: GeoJSON.MultiLineString): GeoJSON.MultiLineString {
  return { type: 'MultiLineString', coordinates: coordinates.map(unrolledLine) }
}
