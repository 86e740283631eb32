import { expect, test } from 'vitest'
import { regionAt } from '../globe/region.ts'
import { regionBounds } from './region-bounds.ts'
import { regionName } from './region-name.ts'

test.each([
  [-15, 130, '30°S to 0°, 120°E to 150°E'],
  [15, -15, '0° to 30°N, 30°W to 0°'],
  [90, 180, '60°N to 90°N, 150°E to 180°'],
  [-90, -180, '90°S to 60°S, 180° to 150°W'],
])('the region of lat %d, lon %d is %s', (latDeg, lonDeg, bounds) => {
  expect(regionBounds(regionAt({ latDeg, lonDeg }))).toBe(bounds)
})

test.each([
  [-33.87, 151.21, 'New Zealand and Tasman Sea'],
  [-37.81, 144.96, 'Southern Australia'],
  [-31.95, 115.86, 'Southwestern Australia'],
  [-12.46, 130.84, 'Northern Australia and New Guinea'],
  [51.5, -0.13, 'Western Europe'],
  [48.2, 16.4, 'Central Europe'],
  [35.7, 139.7, 'Japan and Korea'],
  [37.8, -122.4, 'Pacific Northwest'],
  [-34.6, -58.4, 'Río de la Plata'],
  [21.3, -157.9, 'Hawaii'],
  [64.1, -21.9, 'Iceland'],
  [28.6, 77.2, 'India'],
  [6.5, 3.4, 'North Central Africa'],
])('lat %d, lon %d lies in %s', (latDeg, lonDeg, name) => {
  expect(regionName(regionAt({ latDeg, lonDeg }))).toBe(name)
})

test('every region has a name', () => {
  for (let latBand = 0; latBand < 6; latBand++) {
    for (let lonBand = 0; lonBand < 12; lonBand++) {
      expect(regionName({ latBand, lonBand })).not.toBe('')
    }
  }
})
