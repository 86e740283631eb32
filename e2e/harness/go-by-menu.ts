import type { Page } from '@playwright/test'

/** Goes to a screen through the header's menu, within the app. */
export async function goByMenu(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}
