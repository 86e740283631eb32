import { expect, test } from 'vitest'
import { readBuildSettings } from '../build-settings.ts'

test('without settings the live feed is server-sent events and there is no maps service', () => {
  expect(readBuildSettings({})).toEqual({ googleMaps: false, live: 'sse' })
})

test('a maps key turns the maps service on, and is not part of the settings', () => {
  expect(readBuildSettings({ VITE_GOOGLE_MAPS_API_KEY: 'abc', VITE_LIVE: 'off' })).toEqual({
    googleMaps: true,
    live: 'off',
  })
})

test('an unknown live feed stops the build with a line that names the setting', () => {
  expect(() => readBuildSettings({ VITE_LIVE: 'pigeon' })).toThrow(/^VITE_LIVE is "pigeon"/)
})
