import * as v from 'valibot'

const settingSchema = v.optional(v.pipe(v.string(), v.trim()), '')

function setting(value: unknown): string | undefined {
  const text = v.parse(settingSchema, value)
  return text === '' ? undefined : text
}

/** The maps service's key and map id; undefined when the build was made without them. */
export const mapSettings = {
  key: setting(import.meta.env['VITE_GOOGLE_MAPS_API_KEY']),
  mapId: setting(import.meta.env['VITE_GOOGLE_MAPS_MAP_ID']),
} as const

export const keySettingName = 'VITE_GOOGLE_MAPS_API_KEY'
