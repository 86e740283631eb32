import { passwordLogin } from '@astropelago/contract/accounts'
import { expect, test } from '@playwright/test'
import {
  fillSample,
  samplePassword,
  sampleSettings,
  sampleUsername,
} from '../../scripts/sample/fill-sample.ts'
import { type RunningServer, startServer } from '../harness/start-server.ts'
import { takePictures } from '../harness/take-pictures.ts'

/** Screens of a network that people live in: what `npm run dev -- --sample` shows. */
const screens = {
  dashboard: '/dashboard',
  explore: '/explore',
  discover: '/discover',
  'discover-found': '/discover?q=har',
  'discover-mothership': '/discover?category=mothership',
  'discover-islands': '/discover?category=islands',
  'discover-satellites': '/discover?category=satellites',
  'discover-charts': '/discover?category=charts',
  'discover-signals': '/discover?category=signals',
  'discover-library': '/discover?category=library',
  library: '/library',
  guide: '/library/nginx',
  island: '/islands/harbour-tales',
  'island-of-ones-own': '/islands/kelp-kitchen',
  'island-missing': '/islands/no-such-island',
  'island-settings': '/islands/harbour-tales/settings',
  'new-island': '/new-island',
  invitation: '/invitation',
  observatory: '/observatory',
} as const

/** For what comes after the page itself: a chart that settles, a globe, pictures. */
const settleMs = 2500

test.describe.configure({ mode: 'serial' })

let server: RunningServer

test.beforeAll(async () => {
  test.setTimeout(180_000)
  server = await startServer({ settings: sampleSettings, prepareData: fillSample })
})

test.afterAll(async () => {
  await server.stop()
})

for (const [name, path] of Object.entries(screens)) {
  test(`${name} of the sample`, async ({ page }) => {
    const data = { username: sampleUsername, password: samplePassword }
    const signedIn = await page.request.post(server.url + passwordLogin.path, { data })
    expect(signedIn.ok()).toBe(true)
    await page.goto(server.url + path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForTimeout(settleMs)
    await takePictures(page, `sample-${name}`)
  })
}
