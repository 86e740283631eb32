import { defineConfig } from '@playwright/test'
import {
  browserOptions,
  webglBrowserOptions,
  wholeBrowserOptions,
} from './harness/browser-options.ts'
import { longTag, projects, runOptions } from './playwright.config.ts'

const everythingElse = projects.map(({ name = '' }) => name)

/** The browser tests that are tagged @long: a part of `npm run test:long`. */
export default defineConfig({
  ...runOptions,
  grep: longTag,
  globalSetup: ['./harness/global-setup.ts', './harness/postgres-setup.ts'],
  projects: [
    ...projects,
    // A notification is shown by the browser's own surroundings.
    { name: 'notifications', testMatch: 'push-message.test.ts', use: wholeBrowserOptions },
    // Those that hold a time run one by one, when nothing else runs any more.
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
