import type { Page } from '@playwright/test'

/** Makes the page see its tab hidden or shown again. */
export async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: hidden })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)
}
