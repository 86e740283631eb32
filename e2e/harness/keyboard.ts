import { expect, type Locator } from '@playwright/test'

/** More than any screen has; what is not reached by then is not reached by Tab. */
const mostPresses = 80

/** Presses Tab until this has the focus. */
export async function tabTo(target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  for (let presses = 0; presses < mostPresses; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await target.page().keyboard.press('Tab')
  }
  await expect(target).toBeFocused()
}

/** Presses a button or follows a link, from wherever the focus is. */
export async function pressByKeys(target: Locator): Promise<void> {
  await tabTo(target)
  await target.page().keyboard.press('Enter')
}

/** Chooses from the header's menu. */
export async function chooseFromMenu(target: Locator): Promise<void> {
  const page = target.page()
  await pressByKeys(page.getByRole('button', { name: 'Menu' }))
  await expect(target).toBeVisible()
  for (let presses = 0; presses < mostPresses; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) break
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
}

/** Types into a field, from wherever the focus is. */
export async function typeInto(field: Locator, text: string): Promise<void> {
  await tabTo(field)
  await field.page().keyboard.type(text)
}
