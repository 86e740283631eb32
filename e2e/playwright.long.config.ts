import { defineConfig } from '@playwright/test'
import {
  browserOptions,
  webglBrowserOptions,
  wholeBrowserOptions,
} from './harness/browser-options.ts'
import { longTag, projects, runOptions } from './playwright.config.ts'

const everythingElse = projects.map(({ name = '' }) => name)

/** The browser tests with the tag @long, for `npm run test:long`. */
export default defineConfig({
  ...runOptions,
  grep: longTag,
  globalSetup: ['./harness/global-setup.ts', './harness/postgres-setup.ts'],
  projects: [
    ...projects,
    // Only the full browser shows notifications.
    { name: 'notifications', testMatch: 'push-message.test.ts', use: wholeBrowserOptions },
    // Tests with a time limit run one by one, after all others.
    {
      name: 'timed pages',
      testMatch: 'starfield-cost.test.ts',
      use: browserOptions,
      workers: 1,
      dependencies: [...everythingElse, 'notifications'],
    },
    {
      name: 'timed pictures',
      testMatch: 'flip-times.test.ts',
      use: webglBrowserOptions,
      workers: 1,
      dependencies: ['timed pages'],
    },
  ],
})
