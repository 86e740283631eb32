/** Opens the main screens of the built product in Firefox, and fails on any error or warning. */
import { hintCookie } from '@astropelago/contract/me'
import { launch, type Page } from 'puppeteer-core'
import { createSessionCookie } from '../../apps/server/src/features/accounts/session-cookie.ts'
import { seedDataDir, type SignedInUser } from '../../apps/server/src/test/seed-data-dir.ts'
import { clusteredDevices } from '../../e2e/harness/clustered-devices.ts'
import { startServer } from '../../e2e/harness/start-server.ts'
import { findFirefox } from '../system-tools.ts'

/** Each path with a selector that shows that the screen is there. */
const screens: Readonly<Record<string, string>> = {
  '/': 'h1',
  '/explore': 'h1',
  '/discover': 'h1',
  '/dashboard': 'h1',
  '/account': '[aria-label="Your Public Devices"], h2',
  '/connect': 'form',
  // Without a graphics card, Firefox has no WebGL 2.
  '/observatory': 'canvas[data-drawn-by=canvas2d][data-view=earth]',
}

const executablePath = findFirefox()
if (executablePath === undefined) throw new Error('There is no Firefox')
let users: SignedInUser[] = []
const server = await startServer({
  settings: { ONLINE_WINDOW_S: '86400' },
  prepareData: async (dataDir) => {
    users = await seedDataDir(dataDir, { devices: clusteredDevices(200), signedInUsers: 1 })
  },
})
const browser = await launch({ browser: 'firefox', executablePath, headless: true })
const problems: string[] = []
try {
  const page = await browser.newPage()
  watch(page)
  await signIn()
  for (const [path, sign] of Object.entries(screens)) {
    await page.goto(`${server.url}${path}`)
    await page.waitForSelector(sign, { timeout: 60_000 })
    console.log(`  ${path} opened`)
  }
} finally {
  await browser.close()
  await server.stop()
}
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1

async function signIn(): Promise<void> {
  const { url } = server
  const token = users[0]?.sessionToken ?? ''
  const place = { domain: new URL(url).hostname, path: '/' }
  await browser.setCookie(
    { ...place, name: createSessionCookie(url).name, value: token, httpOnly: true },
    { ...place, name: hintCookie, value: '1' },
  )
}

function watch(page: Page): void {
  page.on('console', (message) => {
    const type = message.type()
    if (type === 'error' || type === 'warn')
      problems.push(`${page.url()} ${type}: ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.push(`${page.url()} uncaught: ${String(error)}`))
}
