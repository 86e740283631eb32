import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { installLocked, longTestsFolder } from './locked-folder.ts'

/**
 * The path of another version of Node, such as `18` or `18.13`, from the long tests' lockfile.
 * @throws Error if npm has none for this machine
 */
export function otherNode(version: string): string {
  installLocked(longTestsFolder)
  const name = `node-${version.replace('.', '-')}-${process.arch}`
  const program = join(longTestsFolder, 'node_modules', name, 'bin/node')
  assert.ok(existsSync(program), `${longTestsFolder}/package.json has no ${name}`)
  return program
}
