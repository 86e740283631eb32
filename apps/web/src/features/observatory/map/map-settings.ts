import { MapSetting } from '@astropelago/contract/build-settings'
import * as v from 'valibot'

const settingSchema = v.optional(v.pipe(v.string(), v.trim()), '')

function setting(value: unknown): string | undefined {
  const text = v.parse(settingSchema, value)
  return text === '' ? undefined : text
}

/** Settings of the build. The maps service's key and map id are undefined if they are not set. */
export const mapSettings = {
  source: v.parse(MapSetting, import.meta.env['VITE_MAP']),
  key: setting(import.meta.env['VITE_GOOGLE_MAPS_API_KEY']),
  mapId: setting(import.meta.env['VITE_GOOGLE_MAPS_MAP_ID']),
} as const

export const keySettingName = 'VITE_GOOGLE_MAPS_API_KEY'
