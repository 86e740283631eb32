import { defineConfig } from '@playwright/test'
import { browserOptions, webglBrowserOptions } from './harness/browser-options.ts'

/** The files that are about the Observatory; elsewhere its globe is drawn by Canvas 2D. */
const drawnByWebgl = /(countries|globe|live-feed|location|map|observatory)[a-z-]*\.test\.ts$/

/** The product in real Chromium, against real servers: run by `npm run test:e2e`. */
export default defineConfig({
  testMatch: '*.test.ts',
  outputDir: '../test-results',
  globalSetup: './harness/readme-server.ts',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  // Far above what a test takes: a busy machine must not fail one.
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [['list', { printSteps: false }]],
  projects: [
    { name: 'pages', testIgnore: drawnByWebgl, use: browserOptions },
    { name: 'pictures', testMatch: drawnByWebgl, use: webglBrowserOptions },
  ],
})
