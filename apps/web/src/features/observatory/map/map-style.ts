import type { GeoJSONSourceSpecification, StyleSpecification } from 'maplibre-gl'
import type { MapLand } from './map-land.ts'

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
      {
        id: 'grid',
        type: 'line',
        source: 'grid',
        paint: { 'line-color': mapColors.grid, 'line-width': 1 },
      },
      { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': mapColors.land } },
      {
        id: 'borders',
        type: 'line',
        source: 'borders',
        paint: { 'line-color': mapColors.border, 'line-width': 1 },
      },
      {
        id: 'coasts',
        type: 'line',
        source: 'coasts',
        paint: { 'line-color': mapColors.coast, 'line-width': 1 },
      },
    ],
  }
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
