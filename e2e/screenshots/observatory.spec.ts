import { resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { openGlobe } from '../harness/globe-parts.ts'
import { takePictures } from '../harness/take-pictures.ts'
import { expect, test } from '../harness/test.ts'

const folder = resolve(import.meta.dirname, '../../screenshots')

/** Long enough for the land to load and the last animation to end. */
const settleMs = 2500

test.beforeEach(({ user }) => expect(user.username).toBeDefined())

for (const count of [0, 5, 300, 100_000]) {
  test.describe(`with ${count} devices`, () => {
    test.use({ seed: { devices: count } })

    test('the page and both views', async ({ page }) => {
      test.setTimeout(180_000)
      const globe = await openSettledGlobe(page)
      await takePictures(page, `observatory-${count}`)
      await page.setViewportSize({ width: 1440, height: 900 })
      await takeGlobe(page, `globe-earth-${count}`)
      await globe.button('Sky view').click()
      await globe.rest({ view: 'sky' })
      await takeGlobe(page, `globe-sky-${count}`)
    })
  })
}

test.describe('with 500 devices, up close', () => {
  test.use({ seed: { devices: 500 } })

  test('a region, the chooser, the keyboard’s hint, Australia', async ({ page }) => {
    test.setTimeout(180_000)
    const globe = await openSettledGlobe(page)
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
    await page.getByRole('menuitem', { name: /^Australia/ }).click()
    await expect(globe.label('territory').first()).toBeVisible()
    await takeGlobe(page, 'globe-australia')
  })
})

async function openSettledGlobe(page: Page) {
  const globe = await openGlobe(page)
  await page.waitForTimeout(settleMs)
  return globe
}

async function takeGlobe(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(settleMs)
  await page
    .getByRole('region', { name: 'Sky and Earth', exact: true })
    .screenshot({ path: resolve(folder, `${name}.png`) })
}
