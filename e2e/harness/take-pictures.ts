import { resolve } from 'node:path'
import type { Page } from '@playwright/test'

const folder = resolve(import.meta.dirname, '../../screenshots')
const widthsPx = [360, 768, 1440]
const heightPx = 900

/**
 * Writes `name-360.png`, `-768` and `-1440`: the full page, or only the visible part if a dialog is open.
 */
export async function takePictures(page: Page, name: string): Promise<void> {
  for (const width of widthsPx) {
    await page.setViewportSize({ width, height: heightPx })
    await page.evaluate(() => document.fonts.ready)
    const isModal = (await page.getByRole('dialog').count()) > 0
    await page.screenshot({
      // Without a graphics card, a dialog over a blurred page takes long to draw.
      timeout: 45_000,
      path: resolve(folder, `${name}-${width}.png`),
      fullPage: !isModal,
      animations: 'disabled',
    })
  }
}
