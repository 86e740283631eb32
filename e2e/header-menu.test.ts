import type { Page } from '@playwright/test'
import { expectReloaded, expectSameDocument, markDocument } from './harness/reload-mark.ts'
import { expect, test } from './harness/test.ts'

const guarded = ['Dashboard', 'Checks', 'Connect', 'Discover', 'Observatory', 'Account']

async function openMenu(page: Page) {
  const menu = page.getByRole('menu')
  // A page whose code is still loading ignores clicks.
  await expect(async () => {
    if (!(await menu.isVisible())) await page.getByRole('button', { name: 'Menu' }).click()
    await expect(menu).toBeVisible({ timeout: 2000 })
  }).toPass()
  return menu
}

test('each menu entry opens its screen without a reload, moves the focus and announces the title', async ({
  page,
  user,
}) => {
  await page.goto('/')
  await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
  await markDocument(page)
  for (const name of ['Explore', ...guarded, 'Home']) {
    const menu = await openMenu(page)
    await menu.getByRole('menuitem', { name, exact: true }).click()
    await expect(page).toHaveURL(name === 'Home' ? '/' : `/${name.toLowerCase()}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
    const title = name === 'Home' ? 'Astropelago' : name
    await expect(page.getByRole('status').filter({ hasText: title })).not.toHaveCount(0)
    await expectSameDocument(page)
  }
})

test(
  '[S14] Log out reloads the page, and the old cookie stops working',
  { tag: '@long' },
  async ({ page, user }) => {
    const cookies = await page.context().cookies()
    await page.goto('/explore')
    await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
    await markDocument(page)
    const menu = await openMenu(page)
    await menu.getByRole('menuitem', { name: 'Log out' }).click()
    await expectReloaded(page)
    await expect(page).toHaveURL('/explore')
    await expect(page.getByRole('link', { name: /^Account / })).toHaveCount(0)
    expect(await page.context().cookies()).toEqual([])

    await page.context().addCookies(cookies)
    const answer = await page.context().request.get('/api/me')
    expect(answer.status()).toBe(401)
  },
)
