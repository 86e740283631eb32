import * as v from 'valibot'
import { storedValue } from '../../../lib/stored-value.ts'

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

const stored = storedValue('astropelago.map.v1', v.picklist(['open', 'none']))

/** Whether this browser's visitor has asked for the built-in map. */
export const builtInMapChoice = {
  read: (): boolean => stored.read() === 'open',
  write: (isWanted: boolean): void => {
    // Where storage refuses, the choice holds until the page is left.
    stored.write(isWanted ? 'open' : 'none')
  },
}
