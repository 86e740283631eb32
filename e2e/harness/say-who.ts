import { expect, type Page } from '@playwright/test'

/** Says yes to the dialog that an island's page shows, and in the window that the site opens. */
export async function sayWho(page: Page): Promise<void> {
  await expect(page.locator('astropelago-consent')).toBeAttached()
  const opening = page.waitForEvent('popup')
  // The dialog is closed to scripts, and its first button has the focus.
  await page.keyboard.press('Enter')
  const asking = await opening
  const closing = asking.waitForEvent('close')
  await asking.getByRole('button', { name: /^Yes, as/ }).click()
  await closing
}
