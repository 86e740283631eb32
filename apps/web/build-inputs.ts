import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hashFiles } from '../../scripts/hash-files.ts'
import { buildDir } from './build-dir.ts'

const root = join(import.meta.dirname, '../..')
/** In the folder of the prerendering code, which is not served. Each build empties it first. */
const noteFile = join(buildDir, 'dist-ssr/inputs')
/** The last file of a build. */
const lastFile = join(buildDir, 'dist/_spark/agreed.js')

/** Everything that a build reads. The lockfile represents the packages from the registry. */
const inputs = [
  'package-lock.json',
  'apps/web/{*,.env*}',
  'apps/web/{locales,public,src}/**/*',
  'packages/*/src/**/*',
  'docs/guides/**/*.md',
]
const isTest = /\.test\.tsx?$|\/(test|testing)\//

/** A hash of the files and VITE_ settings that determine a build. */
export function hashOfInputs(): Promise<string> {
  const settings = Object.entries(process.env).filter(([name]) => name.startsWith('VITE_'))
  return hashFiles(root, inputs, {
    salt: settings.map(String).toSorted().join('\n'),
    isLeftOut: isTest,
  })
}

/** Whether the existing build has these inputs. */
export async function hasBuildOf(hash: string): Promise<boolean> {
  if (!existsSync(noteFile) || !existsSync(lastFile)) return false
  return (await readFile(noteFile, 'utf8')) === hash
}

export async function noteBuildOf(hash: string): Promise<void> {
  await writeFile(noteFile, hash)
}
