import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { glob, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildDir } from './build-dir.ts'

const root = join(import.meta.dirname, '../..')
/** Beside the half of a build that is not served. It is emptied as a build begins. */
const noteFile = join(buildDir, 'dist-ssr/inputs')
/** Made last. */
const lastFile = join(buildDir, 'dist/_spark/runtime.js')

/** All that a build reads; the lockfile stands for what comes from the registry. */
const inputs = [
  'package-lock.json',
  'apps/web/{*,.env*}',
  'apps/web/{public,src}/**/*',
  'packages/*/src/**/*',
  'docs/guides/*',
]
const isTest = /\.test\.tsx?$|\/(test|testing)\//

/** A hash of the files and VITE_ settings that a build is made of. */
export async function hashOfInputs(): Promise<string> {
  const paths: string[] = []
  for await (const entry of glob(inputs, { cwd: root, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && !isTest.test(path)) paths.push(path)
  }
  const settings = Object.entries(process.env).filter(([name]) => name.startsWith('VITE_'))
  const hash = createHash('sha256').update(JSON.stringify(settings.map(String).toSorted()))
  for (const path of paths.toSorted()) {
    hash.update(`\0${path}\0`).update(await readFile(path))
  }
  return hash.digest('hex')
}

/** Whether the present build was made of these inputs. */
export async function hasBuildOf(hash: string): Promise<boolean> {
  if (!existsSync(noteFile) || !existsSync(lastFile)) return false
  return (await readFile(noteFile, 'utf8')) === hash
}

export async function noteBuildOf(hash: string): Promise<void> {
  await writeFile(noteFile, hash)
}
