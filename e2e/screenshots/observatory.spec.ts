import { resolve } from 'node:path'
import { register } from '@astropelago/contract/accounts'
import type { Browser, Page } from '@playwright/test'
import { type globeParts, openGlobe } from '../harness/globe-parts.ts'
import { newCredentials } from '../harness/new-credentials.ts'
import { seededServer } from '../harness/seeded-server.ts'
import { takePictures } from '../harness/take-pictures.ts'
import { expect, test } from '../harness/test.ts'

const folder = resolve(import.meta.dirname, '../../screenshots')

/** Long enough for the land to come up and for the last animation to end. */
const settleMs = 2500

for (const count of [0, 5, 500, 100_000]) {
  test(`the page and both views with ${count} devices`, async ({ browser }) => {
    test.setTimeout(180_000)
    await withDevices(browser, count, async (page, globe) => {
      await takePictures(page, `observatory-${count}`)
      await page.setViewportSize({ width: 1440, height: 900 })
      await takeGlobe(page, `globe-earth-${count}`)
      await globe.button('Sky view').click()
      await globe.rest({ view: 'sky' })
      await takeGlobe(page, `globe-sky-${count}`)
    })
  })
}

test('a region, the chooser, the keyboard’s hint, Australia', async ({ browser }) => {
  test.setTimeout(180_000)
  await withDevices(browser, 500, async (page, globe) => {
    const africa = await globe.pointOf({ latDeg: 14, lonDeg: 22 })
    await page.mouse.click(africa.x, africa.y)
    await expect(globe.region('North Central Africa')).toBeVisible()
    await takePictures(page, 'globe-region')
    await page.setViewportSize({ width: 1440, height: 900 })
    await globe.canvas.scrollIntoViewIfNeeded()
    const berlin = await globe.pointOf({ latDeg: 52, lonDeg: 12 })
    await page.mouse.click(berlin.x, berlin.y)
    await expect(globe.chooser).toBeVisible()
    await takeGlobe(page, 'globe-chooser')
    await page.keyboard.press('Escape')
    await page.keyboard.press('n')
    await takeGlobe(page, 'globe-keyboard')
    await page.getByRole('button', { name: 'Jump to' }).click()
    await page.getByRole('menuitem', { name: 'Australia', exact: true }).click()
    await expect(globe.label('place').first()).toBeVisible()
    await takeGlobe(page, 'globe-australia')
  })
})

/** Runs with a server of its own, since each has another number of devices. */
async function withDevices(
  browser: Browser,
  count: number,
  action: (page: Page, globe: ReturnType<typeof globeParts>) => Promise<void>,
): Promise<void> {
  const server = await seededServer(count)
  const context = await browser.newContext({ baseURL: server.url })
  try {
    await context.request.post(register.path, { data: newCredentials() })
    const page = await context.newPage()
    const globe = await openGlobe(page)
    await page.waitForTimeout(settleMs)
    await action(page, globe)
  } finally {
    await context.close()
    await server.stop()
  }
}

async function takeGlobe(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(settleMs)
  await page
    .getByRole('region', { name: 'Sky and Earth', exact: true })
    .screenshot({ path: resolve(folder, `${name}.png`) })
}
