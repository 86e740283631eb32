import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BuildSettings, buildSettingsFile } from '@astropelago/contract/build-settings'
import * as v from 'valibot'
import { ConfigError } from '../config.ts'

export const otherBuild = 'The web app’s build is not of this version: run npm run build'

/** @throws ConfigError if the build does not say, because it is of another version */
export async function readBuildSettings(webDir: string): Promise<BuildSettings> {
  try {
    return v.parse(
      BuildSettings,
      JSON.parse(await readFile(join(webDir, buildSettingsFile), 'utf8')),
    )
  } catch (cause) {
    throw new ConfigError(otherBuild, { cause })
  }
}
