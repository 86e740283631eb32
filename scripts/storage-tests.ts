import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Helpers that give a test a database, or an app with one. */
const opensStorage =
  /open-test-storage|create-test-app|operator-app|relay-visitor|set-up-presence|accounts-test-deps|test-key-values|llm-test-app|island-page/

const isOfPostgres = (path: string) => path.includes('/postgres-')

/** Tests of SQLite's file, of processes, or of things that never reach the storage. */
const others = [
  /\/storage\/(sqlite-|shared-|lost-|data-dir-)/,
  /\/main\.[^/]*test\.ts$/,
  /\/fuzz\.raw\./,
  /\/http\/(build-settings|cross-site|openapi|page-html|raw-requests|security-headers|web-files|worst-bodies)\./,
]

/**
 * The tests that run on PostgreSQL before every merge: the contract suite of every store, those of
 * PostgreSQL alone that need no cluster, and one complete server.
 */
export const quickPostgresTests = [
  'apps/server/src/**/sql-*-store.test.ts',
  'apps/server/src/storage/postgres-*.test.ts',
  'apps/server/src/storage/from-dfe8154.test.ts',
  'apps/server/src/features/presence/postgres-*.test.ts',
  'apps/server/src/features/accounts/accounts-routes.test.ts',
  'apps/server/src/features/devices/devices-routes.test.ts',
]

/**
 * The server's tests that run on PostgreSQL: those for PostgreSQL alone, and those that work on either
 * database.
 */
export function storageTests(): string[] {
  return globSync('apps/server/src/**/*.test.ts', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !others.some((other) => other.test(path)))
    .filter(
      (path) => isOfPostgres(path) || opensStorage.test(readFileSync(`${root}/${path}`, 'utf8')),
    )
    .toSorted()
}
