import { expect, type Locator } from '@playwright/test'

/** More than any screen needs. Tab does not reach what is not reached by then. */
const mostPresses = 80

/** Presses Tab until the target has the focus. */
export async function tabTo(target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  for (let presses = 0; presses < mostPresses; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await target.page().keyboard.press('Tab')
  }
  await expect(target).toBeFocused()
}

/** Presses a button or follows a link by keyboard, from wherever the focus is. */
export async function pressByKeys(target: Locator): Promise<void> {
  await tabTo(target)
  await target.page().keyboard.press('Enter')
}

/** Chooses an entry of the header's menu by keyboard. */
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

/** Moves to a field by keyboard and types, from wherever the focus is. */
export async function typeInto(field: Locator, text: string): Promise<void> {
  await tabTo(field)
  await field.page().keyboard.type(text)
}
