/** What `npm test` need not run again on PostgreSQL: a store that has passed there and has not changed. */
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { hashFiles } from './hash-files.ts'

const root = resolve(import.meta.dirname, '..')
const noteFile = join(root, 'node_modules/.cache/proven-on-postgres')

function hashOfServer(): Promise<string> {
  return hashFiles(root, [
    'package-lock.json',
    'scripts/{postgres/*.json,start-postgres.ts,storage-tests.ts}',
    'packages/contract/src/**/*',
    'apps/server/src/**/*',
  ])
}

/** Whether the server as it is has passed; the long tests run it whatever it is. */
export async function isProvenOnPostgres(): Promise<boolean> {
  return existsSync(noteFile) && (await readFile(noteFile, 'utf8')) === (await hashOfServer())
}

export async function noteProvenOnPostgres(): Promise<void> {
  await mkdir(dirname(noteFile), { recursive: true })
  await writeFile(noteFile, await hashOfServer())
}
