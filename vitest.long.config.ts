import { defineConfig } from 'vitest/config'
import {
  longTests,
  patientPolls,
  runOptions,
  serverOnPostgres,
  serverOnSqlite,
} from './vitest.shared.ts'
import { storageTests } from './scripts/storage-tests.ts'

/** On SQLite alone: what they find is about the rules, and the database the same. */
const { PROPERTY_FACTOR = '10', DOORS_RUNS = '60', FUZZ_REQUESTS = '50000' } = process.env

/**
 * What `npm run test:long` adds: long tests, properties and fuzzing at length, and all of the server on
 * PostgreSQL, which `scripts/postgres-tests.ts` runs on the oldest one that we promise.
 */
export default defineConfig({
  test: {
    ...runOptions,
    // These wait for less, and measure more.
    maxWorkers: 3,
    testTimeout: 120_000,
    projects: [
      {
        test: { name: 'agent', expect: patientPolls, include: [`packages/agent/src/${longTests}`] },
      },
      { test: { name: 'repository', include: [`scripts/${longTests}`] } },
      serverOnSqlite({
        include: [
          `apps/server/src/${longTests}`,
          'apps/server/src/**/*.property.test.ts',
          'apps/server/src/fuzz*.test.ts',
        ],
        env: { PROPERTY_FACTOR, DOORS_RUNS, FUZZ_REQUESTS },
      }),
      serverOnPostgres({ include: storageTests() }),
    ],
  },
})
