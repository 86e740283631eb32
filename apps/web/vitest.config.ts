import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineBrowserCommand, playwright } from '@vitest/browser-playwright'
import { defineProject } from 'vitest/config'
import { findHeadlessChromium } from '../../scripts/system-tools.ts'
import { bundleGuides } from './bundle-guides.ts'
import { bundleIcons } from './bundle-icons.ts'
import { bundleTowns } from './bundle-towns.ts'

const executablePath = findHeadlessChromium()

/** What the page's `prefers-reduced-motion` says, until it is told otherwise. */
const emulateMotion = defineBrowserCommand<[wanted: 'reduce' | 'no-preference']>(
  async ({ page }, wanted) => page.emulateMedia({ reducedMotion: wanted }),
)

let clipboardTurn = Promise.resolve()
let endClipboardTurn = () => {}

/** Waits for the page's turn with the clipboard, which all pages share. */
const takeClipboard = defineBrowserCommand<[]>(async () => {
  const turnBefore = clipboardTurn
  const { promise, resolve } = Promise.withResolvers<void>()
  clipboardTurn = promise
  await turnBefore
  endClipboardTurn = resolve
})

const leaveClipboard = defineBrowserCommand<[]>(() => endClipboardTurn())

/**
 * Component tests: screens and their parts in a real Chromium, without a server or a page load. What
 * stands around a test is in src/test/.
 */
export default defineProject({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), bundleTowns(), bundleGuides(), bundleIcons()],
  // Found only while tests run, it would reload the page under them. Workers are found by nobody's imports.
  optimizeDeps: { entries: ['src/main.tsx', 'src/**/*-worker.ts', 'src/**/*.browser.test.tsx'] },
  test: {
    name: 'components',
    include: ['src/**/*.browser.test.tsx'],
    setupFiles: ['src/test/set-up.ts'],
    // A page takes file after file: a new one would fetch every module anew. Each test leaves it as it was.
    isolate: false,
    // Pages side by side, each in a browser context of its own: one waits for a click while another draws.
    maxWorkers: 3,
    // Projects with other numbers of workers run one after the other.
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
            // Without WebGL: it would be done by software, and everything else by it too.
            '--disable-3d-apis',
            // A click waits for two frames: these come as fast as they are drawn. Halves its time.
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
