import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { storageTests } from './scripts/storage-tests.ts'

// Each test's database starts a thread, which compiles its code: kept, that takes a third of the time.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
  new URL('node_modules/.cache/compiled', import.meta.url),
)

export default defineConfig({
  test: {
    // Vitest leaves one core free, which is half of a small machine.
    maxWorkers: '100%',
    reporters: ['default', './scripts/vitest-times.ts'],
    // Far above what a test takes: a busy machine must not fail one.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    projects: [
      {
        test: {
          name: 'contract',
          include: ['packages/contract/src/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'spark',
          include: ['packages/spark/src/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'agent',
          // As the server's: it is a process of its own, which a busy machine holds up.
          retry: 1,
          include: ['packages/agent/src/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'island-picture',
          include: ['packages/island-picture/src/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'server',
          // A busy machine trips one in some thousands: what fails twice has failed.
          retry: 1,
          // What a file imports stays for the next one: tests keep nothing in modules.
          isolate: false,
          include: ['apps/server/src/**/*.test.ts'],
          exclude: ['**/postgres-*.test.ts'],
          globalSetup: './apps/server/src/test/sqlite-setup.ts',
        },
      },
      {
        test: {
          name: 'server on PostgreSQL',
          retry: 1,
          isolate: false,
          include: storageTests(),
          globalSetup: './apps/server/src/test/postgres-setup.ts',
        },
      },
      {
        test: {
          name: 'web',
          isolate: false,
          include: ['apps/web/src/**/*.test.{ts,tsx}'],
          exclude: ['**/*.browser.test.tsx'],
        },
      },
      'apps/web/vitest.config.ts',
      {
        test: {
          name: 'repository',
          include: ['scripts/**/*.test.ts'],
        },
      },
    ],
  },
})
