import {
  type BuildSettings,
  buildSettingsFile,
  LiveFeed,
} from '@astropelago/contract/build-settings'
import * as v from 'valibot'
import type { Plugin } from 'vite'

/** Reads the VITE_ settings; throws one line that names the setting it can't use. */
export function readBuildSettings(
  env: Readonly<Record<string, string | undefined>>,
): BuildSettings {
  const live = v.safeParse(LiveFeed, env['VITE_LIVE'] || 'sse')
  if (!live.success) {
    throw new Error(
      `VITE_LIVE is "${env['VITE_LIVE']}", but it can only be ${LiveFeed.options.join(', ')}.`,
    )
  }
  return { googleMaps: Boolean(env['VITE_GOOGLE_MAPS_API_KEY']), live: live.output }
}

/** Writes the settings beside the build, where the server reads them. */
export function buildSettingsPlugin(settings: BuildSettings): Plugin {
  return {
    name: 'astropelago-build-settings',
    apply: 'build',
    generateBundle() {
      this.emitFile({
        type: 'asset',
        fileName: buildSettingsFile,
        source: `${JSON.stringify(settings)}\n`,
      })
    },
  }
}
