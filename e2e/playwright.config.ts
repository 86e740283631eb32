import { defineConfig } from '@playwright/test'
import {
  browserOptions,
  webglBrowserOptions,
  wholeBrowserOptions,
} from './harness/browser-options.ts'

/** The files about what is drawn by WebGL; elsewhere the globe is drawn by Canvas 2D. */
const drawnByWebgl = /(globe|map|flip-times)[a-z-]*\.test\.ts$/
/** What the browser's own surroundings show. */
const shownBySystem = /push-message\.test\.ts$/
/** Those that hold a time: they run one by one, when nothing else runs any more. */
const timedPages = /starfield-cost\.test\.ts$/
const timedPictures = /flip-times\.test\.ts$/

/** The product in real Chromium, against real servers: run by `npm run test:e2e`. */
export default defineConfig({
  testMatch: '*.test.ts',
  outputDir: '../test-results',
  globalSetup: './harness/global-setup.ts',
  fullyParallel: true,
  workers: 2,
  // A busy machine trips one in some hundreds. Such a one is told as flaky; what fails twice has failed.
  retries: 1,
  // Far above what a test takes: a busy machine must not fail one.
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [['list', { printSteps: false }], ['./harness/browser-test-times.ts']],
  projects: [
    { name: 'pages', testIgnore: [drawnByWebgl, shownBySystem, timedPages], use: browserOptions },
    { name: 'notifications', testMatch: shownBySystem, use: wholeBrowserOptions },
    {
      name: 'pictures',
      testMatch: drawnByWebgl,
      testIgnore: timedPictures,
      use: webglBrowserOptions,
    },
    {
      name: 'timed pages',
      testMatch: timedPages,
      use: browserOptions,
      workers: 1,
      dependencies: ['pages', 'pictures', 'notifications'],
    },
    {
      name: 'timed pictures',
      testMatch: timedPictures,
      use: webglBrowserOptions,
      workers: 1,
      dependencies: ['timed pages'],
    },
  ],
})
