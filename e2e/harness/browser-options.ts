import type { PlaywrightTestConfig } from '@playwright/test'
import { findChromium, findHeadlessChromium } from '../../scripts/system-tools.ts'

const quietArgs = [
  // Chromium's sandbox needs user namespaces, which containers often lack.
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * WebGL in software, for the same pictures on every machine, with or without a graphics card. Only for
 * pages that need it, because Chromium then composes every page in software, several times as slowly.
 */
const webglArgs = [
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-gpu-rasterization',
]

/** How Chromium is started. Without WebGL, since it would fall back to software and print warnings. */
export const browserOptions = optionsWith([...quietArgs, '--disable-3d-apis'])
/** For pages that draw with WebGL. */
export const webglBrowserOptions = optionsWith([...quietArgs, ...webglArgs])

/** The full browser, since the headless shell can't show notifications. */
export const wholeBrowserOptions = optionsWith([...quietArgs, '--disable-3d-apis'], findChromium())

function optionsWith(
  args: string[],
  executablePath = findHeadlessChromium(),
): NonNullable<PlaywrightTestConfig['use']> {
  return {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    // No motion, except in the tests of motion, which ask for it.
    reducedMotion: 'reduce',
    actionTimeout: 15_000,
    navigationTimeout: 20_000,
    trace: 'off',
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args,
      // In the locale of a bare shell, Chromium can't read a file whose path is more than ASCII.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    },
  }
}
