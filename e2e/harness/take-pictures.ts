import { resolve } from 'node:path'
import type { Page } from '@playwright/test'

const folder = resolve(import.meta.dirname, '../../screenshots')
const widthsPx = [360, 768, 1440]
const heightPx = 900

/** Writes `name-360.png`, `-768` and `-1440`: the whole page, or with a dialog open what is on screen. */
export async function takePictures(page: Page, name: string): Promise<void> {
  for (const width of widthsPx) {
    await page.setViewportSize({ width, height: heightPx })
    await page.evaluate(() => document.fonts.ready)
    const isModal = (await page.getByRole('dialog').count()) > 0
    await page.screenshot({
      // A dialog over a blurred page takes its time without a graphics card.
      timeout: 45_000,
      path: resolve(folder, `${name}-${width}.png`),
      fullPage: !isModal,
      animations: 'disabled',
    })
  }
}
