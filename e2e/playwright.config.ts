import { defineConfig, type PlaywrightTestConfig, type Project } from '@playwright/test'
import { browserOptions, webglBrowserOptions } from './harness/browser-options.ts'

/** What a change need not wait for: playwright.long.config.ts runs it. */
export const longTag = /@long/
/** Tests of what is drawn by WebGL; elsewhere the globe is drawn by Canvas 2D. */
const drawnByWebgl = /(globe|map)[a-z-]*\.test\.ts$/
/** Tests with surroundings of their own, which are all long. */
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

/** Journeys through the product in real Chromium, against real servers: run by `npm run test:e2e`. */
export default defineConfig({
  ...runOptions,
  grepInvert: longTag,
  globalSetup: './harness/global-setup.ts',
  projects,
})
