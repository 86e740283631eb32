import { defineConfig } from 'vitest/config'
import {
  longTests,
  patientPolls,
  project,
  runOptions,
  serverOnPostgres,
  serverOnSqlite,
} from './vitest.shared.ts'
import { bundleIcons } from './apps/web/bundle-icons.ts'
import { englishTexts } from './apps/web/bundle-texts.ts'
import { quickPostgresTests } from './scripts/storage-tests.ts'

/** What runs before every merge; the rest is in vitest.long.config.ts. */
export default defineConfig({
  test: {
    ...runOptions,
    projects: [
      project('contract', 'packages/contract/src/**/*.test.ts'),
      project('spark', 'packages/spark/src/**/*.test.ts'),
      project('agent', 'packages/agent/src/**/*.test.ts'),
      project('island-picture', 'packages/island-picture/src/**/*.test.ts'),
      serverOnSqlite({ include: ['apps/server/src/**/*.test.ts'], exclude: [longTests] }),
      serverOnPostgres({ include: quickPostgresTests, exclude: [longTests] }),
      {
        plugins: [bundleIcons(), englishTexts()],
        test: {
          name: 'web',
          expect: patientPolls,
          isolate: false,
          include: ['apps/web/src/**/*.test.{ts,tsx}'],
          exclude: ['**/*.browser.test.tsx', longTests],
        },
      },
      'apps/web/vitest.config.ts',
      { plugins: [englishTexts()], ...project('repository', 'scripts/**/*.test.ts') },
    ],
  },
})
