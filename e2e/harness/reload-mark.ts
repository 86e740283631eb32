import { expect, type Page } from '@playwright/test'

const attribute = 'data-not-reloaded'

/** Marks the document. After a reload, the new document lacks the mark. */
export async function markDocument(page: Page): Promise<void> {
  await page.locator('html').evaluate((html, name) => html.setAttribute(name, ''), attribute)
}

export async function expectSameDocument(page: Page): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute(attribute)
}

/** Waits until the page has been reloaded. */
export async function expectReloaded(page: Page): Promise<void> {
  await expect(page.locator('html')).not.toHaveAttribute(attribute)
}
