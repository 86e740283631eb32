import { defineConfig } from 'vitest/config'
import { longTests, runOptions, serverOnPostgres, serverOnSqlite } from './vitest.shared.ts'
import { storageTests } from './scripts/storage-tests.ts'

process.env['PROPERTY_FACTOR'] ??= '10'

/** What `npm run test:long` adds: long tests, properties at length, and all of the server on PostgreSQL. */
export default defineConfig({
  test: {
    ...runOptions,
    testTimeout: 120_000,
    projects: [
      { test: { name: 'agent', include: [`packages/agent/src/${longTests}`] } },
      { test: { name: 'repository', include: [`scripts/${longTests}`] } },
      serverOnSqlite({
        include: [`apps/server/src/${longTests}`, 'apps/server/src/**/*.property.test.ts'],
      }),
      serverOnPostgres({ include: storageTests() }),
    ],
  },
})
