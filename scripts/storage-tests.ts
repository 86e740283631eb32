import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What gives a test a database, or an app that has one. */
const opensStorage =
  /open-test-storage|create-test-app|operator-app|relay-visitor|set-up-presence|accounts-test-deps|test-key-values|llm-test-app/

const isOfPostgres = (path: string) => path.includes('/postgres-')

/** About SQLite's file, about processes, or about what never comes to the storage. */
const others = [
  /\/storage\/(sqlite-|shared-|lost-|data-dir-)/,
  /\/main\.[^/]*test\.ts$/,
  /\/fuzz\.raw\./,
  /\/http\/(build-settings|cross-site|openapi|page-html|raw-requests|security-headers|web-files|worst-bodies)\./,
]

/**
 * What runs on PostgreSQL before every merge: every store's contract suite, what is about PostgreSQL
 * alone and takes no cluster, and one whole server.
 */
export const quickPostgresTests = [
  'apps/server/src/**/sql-*-store.test.ts',
  'apps/server/src/storage/**/postgres-*.test.ts',
  'apps/server/src/features/presence/postgres-*.test.ts',
  'apps/server/src/features/accounts/accounts-routes.test.ts',
  'apps/server/src/features/devices/devices-routes.test.ts',
]

/** The server's tests that run on PostgreSQL, alone or too: whatever works on a database of either kind. */
export function storageTests(): string[] {
  return globSync('apps/server/src/**/*.test.ts', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !others.some((other) => other.test(path)))
    .filter(
      (path) => isOfPostgres(path) || opensStorage.test(readFileSync(`${root}/${path}`, 'utf8')),
    )
    .toSorted()
}
