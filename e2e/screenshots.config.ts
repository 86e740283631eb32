import { defineConfig } from '@playwright/test'
import { webglBrowserOptions } from './harness/browser-options.ts'

/** Pictures of every screen and state, for people. `npm run screenshots` makes them. */
export default defineConfig({
  testDir: './screenshots',
  testMatch: '*.spec.ts',
  outputDir: '../test-results',
  globalSetup: './harness/global-setup.ts',
  fullyParallel: true,
  workers: 2,
  timeout: 60_000,
  reporter: [['list', { printSteps: false }]],
  use: { ...webglBrowserOptions, reducedMotion: 'no-preference' },
})
