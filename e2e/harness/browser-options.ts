import type { PlaywrightTestConfig } from '@playwright/test'
import { findChromium } from '../../scripts/system-tools.ts'

const executablePath = findChromium()

/** How Chromium is started, for tests and screenshots alike. */
export const browserOptions: NonNullable<PlaywrightTestConfig['use']> = {
  browserName: 'chromium',
  viewport: { width: 1440, height: 900 },
  locale: 'en-GB',
  timezoneId: 'UTC',
  actionTimeout: 15_000,
  navigationTimeout: 20_000,
  trace: 'off',
  launchOptions: {
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      // Chromium's sandbox needs user namespaces, which containers often lack.
      '--no-sandbox',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // WebGL by software: the same pictures on every machine, with a graphics card or without.
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
    ],
  },
}
