import { fileURLToPath } from 'node:url'
import { configDefaults, type TestProjectInlineConfiguration } from 'vitest/config'

// Each test's database starts a thread, which compiles its code: kept, that takes a third of the time.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
  new URL('node_modules/.cache/compiled', import.meta.url),
)

/** Tests that need more time than a change should wait for. */
export const longTests = '**/*.long.test.ts'

/** What both runs have in common. */
export const runOptions = {
  // Two more than there are cores on a small machine: tests wait for half of their time.
  maxWorkers: 4,
  reporters: ['default', './scripts/vitest-times.ts'],
  // Far above what a test takes: a busy machine must not fail one.
  testTimeout: 60_000,
  hookTimeout: 60_000,
}

/** A poll waits for what has to happen, so its time is spent by failures only. */
export const patientPolls = { poll: { timeout: 10_000 } }

interface Files {
  readonly include: string[]
  readonly exclude?: string[]
}

interface SqliteFiles extends Files {
  readonly env?: Record<string, string>
}

export function project(name: string, include: string): TestProjectInlineConfiguration {
  const exclude = [...configDefaults.exclude, longTests, '**/*.browser.test.ts']
  return { test: { name, expect: patientPolls, include: [include], exclude } }
}

export function serverOnSqlite({
  include,
  exclude = [],
  env = {},
}: SqliteFiles): TestProjectInlineConfiguration {
  return {
    test: {
      name: 'server',
      expect: patientPolls,
      // What a file imports stays for the next one: tests keep nothing in modules.
      isolate: false,
      include,
      exclude: ['**/postgres-*.test.ts', ...exclude],
      env,
      setupFiles: './apps/server/src/test/close-shared-app.ts',
      globalSetup: './apps/server/src/test/sqlite-setup.ts',
    },
  }
}

export function serverOnPostgres({ include, exclude = [] }: Files): TestProjectInlineConfiguration {
  return {
    test: {
      name: 'server on PostgreSQL',
      expect: patientPolls,
      isolate: false,
      include,
      exclude,
      setupFiles: './apps/server/src/test/close-shared-app.ts',
      globalSetup: './apps/server/src/test/postgres-setup.ts',
    },
  }
}
