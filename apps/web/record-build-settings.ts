import {
  BuildSettings,
  buildSettingsFile,
  DeviceUpdateUrl,
  LiveSetting,
  MapSetting,
} from '@astropelago/contract/build-settings'
import * as v from 'valibot'
import type { Plugin } from 'vite'
import { guideNames } from './bundle-guides.ts'

const Environment = v.object({
  VITE_GOOGLE_MAPS_API_KEY: v.optional(v.string(), ''),
  VITE_DEVICE_UPDATE_URL: DeviceUpdateUrl,
  VITE_LIVE: LiveSetting,
  VITE_MAP: MapSetting,
})

/** Writes the build's settings to a file for the server. An invalid setting fails the build. */
export function recordBuildSettings(): Plugin {
  let settings: Omit<BuildSettings, 'guides'> | undefined
  return {
    name: 'astropelago-record-build-settings',
    apply: 'build',
    configResolved({ env }) {
      settings = settingsOf(env)
    },
    async generateBundle() {
      const guides = await guideNames()
      const source = JSON.stringify(v.parse(BuildSettings, { ...settings, guides }))
      this.emitFile({ type: 'asset', fileName: buildSettingsFile, source })
    },
  }
}

function settingsOf(env: Readonly<Record<string, unknown>>): Omit<BuildSettings, 'guides'> {
  const reading = v.safeParse(Environment, env)
  if (!reading.success) throw withoutStack(new Error(reading.issues[0].message))
  const { VITE_GOOGLE_MAPS_API_KEY, VITE_DEVICE_UPDATE_URL, VITE_LIVE, VITE_MAP } = reading.output
  return {
    hasMapsKey: VITE_MAP === 'service' && VITE_GOOGLE_MAPS_API_KEY.trim() !== '',
    deviceUpdateOrigin:
      VITE_DEVICE_UPDATE_URL === undefined ? null : new URL(VITE_DEVICE_UPDATE_URL).origin,
    live: VITE_LIVE,
  }
}

/** Vite prints the stack, which would bury the one line that matters. */
function withoutStack(error: Error): Error {
  error.stack = error.message
  return error
}
