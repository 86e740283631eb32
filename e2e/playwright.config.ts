import { defineConfig, type PlaywrightTestConfig, type Project } from '@playwright/test'
import { browserOptions, webglBrowserOptions } from './harness/browser-options.ts'

/** Tests that only playwright.long.config.ts runs. */
export const longTag = /@long/
/** Tests of WebGL. In all others, Canvas 2D draws the globe. */
const drawnByWebgl = /(globe|map)[a-z-]*\.test\.ts$/
/** Long tests with an environment of their own. */
const apart = /(push-message|starfield-cost|flip-times)\.test\.ts$/

export const runOptions = {
  testMatch: '*.test.ts',
  outputDir: '../test-results',
  fullyParallel: true,
  workers: 2,
  // Far above what a test takes: a busy machine must not fail one.
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [['list', { printSteps: false }]],
  reportSlowTests: { max: 5, threshold: 10_000 },
} satisfies PlaywrightTestConfig

export const projects: Project[] = [
  { name: 'pages', testIgnore: [drawnByWebgl, apart], use: browserOptions },
  { name: 'pictures', testMatch: drawnByWebgl, use: webglBrowserOptions },
]

/** Journeys through the product in Chromium, with real servers. `npm run test:e2e` runs them. */
export default defineConfig({
  ...runOptions,
  grepInvert: longTag,
  globalSetup: './harness/global-setup.ts',
  projects,
})
