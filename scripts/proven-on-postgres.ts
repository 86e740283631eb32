/** Lets `npm test` skip PostgreSQL if the server has passed there and has not changed since. */
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { hashFiles } from './hash-files.ts'

const root = resolve(import.meta.dirname, '..')
const noteFile = join(root, 'node_modules/.cache/proven-on-postgres')

/** A hash of everything that the server's tests on PostgreSQL depend on, and of TEST_DATABASE_URL. */
export function hashOfServer(): Promise<string> {
  const inputs = [
    'package-lock.json',
    'vitest*.ts',
    'scripts/{postgres/*.json,*.ts}',
    'packages/*/src/**/*',
    'apps/server/src/**/*',
  ]
  return hashFiles(root, inputs, { salt: process.env['TEST_DATABASE_URL'] })
}

/** Whether the server with this hash has passed. The long tests run it in any case. */
export async function isProvenOnPostgres(hash: string): Promise<boolean> {
  return existsSync(noteFile) && (await readFile(noteFile, 'utf8')) === hash
}

export async function noteProvenOnPostgres(hash: string): Promise<void> {
  await mkdir(dirname(noteFile), { recursive: true })
  await writeFile(noteFile, hash)
}
