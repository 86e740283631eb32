import type {
  GeoJSONSourceSpecification,
  LineLayerSpecification,
  StyleSpecification,
} from 'maplibre-gl'
import { feature, mesh } from 'topojson-client'
import type worldAtlas from 'world-atlas/countries-110m.json'
import { polygonsOf, unrolledLine, unrolledRing } from '../geometry/longitudes.ts'

/** Between the tokens' ground and hairline colours, so that nodes are brightest. */
export const mapColors = {
  water: '#070b16',
  land: '#131b2e',
  coast: '#33435f',
  border: '#24304a',
  grid: '#0e1526',
} as const

const gridDeg = 30

/** The map's style: no text, no images, nothing from other hosts. */
export function mapStyle({ land, coasts, borders }: MapLand): StyleSpecification {
  return {
    version: 8,
    sources: {
      land: source(land),
      coasts: source(coasts),
      borders: source(borders),
      grid: source(gridLines()),
    },
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': mapColors.water } },
      lines('grid', mapColors.grid),
      { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': mapColors.land } },
      lines('borders', mapColors.border),
      lines('coasts', mapColors.coast),
    ],
  }
}

function lines(id: string, color: string): LineLayerSpecification {
  return { id, type: 'line', source: id, paint: { 'line-color': color, 'line-width': 1 } }
}

function source(data: GeoJSON.GeoJSON): GeoJSONSourceSpecification {
  return { type: 'geojson', data, maxzoom: 8, tolerance: 0.3 }
}

function gridLines(): GeoJSON.MultiLineString {
  const coordinates: GeoJSON.Position[][] = []
  for (let lonDeg = -180; lonDeg < 180; lonDeg += gridDeg) {
    coordinates.push([
      [lonDeg, -85],
      [lonDeg, 85],
    ])
  }
  for (let latDeg = -60; latDeg <= 60; latDeg += gridDeg) {
    coordinates.push([
      [-180, latDeg],
      [180, latDeg],
    ])
  }
  return { type: 'MultiLineString', coordinates }
}

export type MapLand = ReturnType<typeof mapLand>

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

/** In GeoJSON. Past the antimeridian, longitudes continue beyond 180 degrees. */
function mapLand(topology: typeof worldAtlas) {
  const { countries, land } = topology.objects
  return {
    land: flatLand(feature(topology, land)),
    coasts: flatLines(mesh(topology, countries, (one, other) => one === other)),
    borders: flatLines(mesh(topology, countries, (one, other) => one !== other)),
  }
}

function flatLand({ features }: GeoJSON.FeatureCollection): GeoJSON.MultiPolygon {
  const polygons = features.flatMap(({ geometry }) => polygonsOf(geometry))
  const coordinates = polygons.map((rings) => rings.map(unrolledRing))
  return { type: 'MultiPolygon', coordinates }
}

function flatLines({ coordinates }: GeoJSON.MultiLineString): GeoJSON.MultiLineString {
  return { type: 'MultiLineString', coordinates: coordinates.map(unrolledLine) }
}
