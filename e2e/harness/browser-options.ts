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
 * WebGL by software: the same pictures on every machine, with a graphics card or without. Only where
 * a page needs it: Chromium then composes every page by it, several times as slowly.
 */
const webglArgs = [
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-gpu-rasterization',
]

/** How Chromium is started: without WebGL, since it would fall back to software and complain of it. */
export const browserOptions = optionsWith([...quietArgs, '--disable-3d-apis'])
/** The same for pages that draw by WebGL. */
export const webglBrowserOptions = optionsWith([...quietArgs, ...webglArgs])

/** The same whole: where Chromium was built for tests alone, no notification can be shown. */
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
    // Nothing flies, fades or twinkles, but in the tests that are about it: they ask for motion.
    reducedMotion: 'reduce',
    actionTimeout: 15_000,
    navigationTimeout: 20_000,
    trace: 'off',
    launchOptions: { ...(executablePath === undefined ? {} : { executablePath }), args },
  }
}
