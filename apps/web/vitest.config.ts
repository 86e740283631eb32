import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineBrowserCommand, playwright } from '@vitest/browser-playwright'
import { defineProject } from 'vitest/config'
import { findHeadlessChromium } from '../../scripts/system-tools.ts'
import { bundleGuides } from './bundle-guides.ts'
import { bundleIcons } from './bundle-icons.ts'
import { englishTexts } from './bundle-texts.ts'
import { bundleTowns } from './bundle-towns.ts'

const executablePath = findHeadlessChromium()

/** Sets the page's `prefers-reduced-motion` until the next call. */
const emulateMotion = defineBrowserCommand<[wanted: 'reduce' | 'no-preference']>(
  async ({ page }, wanted) => page.emulateMedia({ reducedMotion: wanted }),
)

let clipboardTurn = Promise.resolve()
let endClipboardTurn = () => {}

/** Waits for the page's turn to use the clipboard, which all pages share. */
const takeClipboard = defineBrowserCommand<[]>(async () => {
  const turnBefore = clipboardTurn
  const { promise, resolve } = Promise.withResolvers<void>()
  clipboardTurn = promise
  await turnBefore
  endClipboardTurn = resolve
})

const leaveClipboard = defineBrowserCommand<[]>(() => endClipboardTurn())

/**
 * Component tests: screens and their parts in a real Chromium, without a server or page loads. Their setup
 * and fixtures are in src/test/.
 */
export default defineProject({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), bundleTowns(), bundleGuides(), bundleIcons(), englishTexts()],
  // A dependency found while tests run would reload the page. Workers are listed because no import leads
  // to them.
  optimizeDeps: { entries: ['src/main.tsx', 'src/**/*-worker.ts', 'src/**/*.browser.test.tsx'] },
  test: {
    name: 'components',
    include: ['src/**/*.browser.test.tsx', '../../packages/spark/src/**/*.browser.test.ts'],
    setupFiles: ['src/test/set-up.ts'],
    // Reuse the page for all files, because a new one would fetch every module again. Each test resets
    // the page.
    isolate: false,
    // Pages run in parallel, each in its own browser context: one waits for a click while another
    // renders.
    maxWorkers: 3,
    // Vitest runs projects with different numbers of workers in sequence.
    sequence: { groupOrder: 1 },
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { interval: 10, timeout: 10_000 } },
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      viewport: { width: 1440, height: 900 },
      commands: { emulateMotion, takeClipboard, leaveClipboard },
      provider: playwright({
        actionTimeout: 15_000,
        launchOptions: {
          ...(executablePath === undefined ? {} : { executablePath }),
          args: [
            // Chromium's sandbox needs user namespaces, which containers often lack.
            '--no-sandbox',
            '--disable-quic',
            '--no-first-run',
            // Software WebGL is slow, and would move all other rendering to software too.
            '--disable-3d-apis',
            // A click waits for two frames. Without a limit on the frame rate, it takes half the time.
            '--disable-frame-rate-limit',
            '--disable-gpu-vsync',
          ],
        },
        contextOptions: {
          locale: 'en-GB',
          timezoneId: 'UTC',
          reducedMotion: 'reduce',
          permissions: ['clipboard-read', 'clipboard-write'],
        },
      }),
      instances: [{ browser: 'chromium' }],
    },
  },
})
