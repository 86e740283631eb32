import type { Page } from '@playwright/test'
import { expectReloaded, markDocument } from './harness/reload-mark.ts'
import { signInForm } from './harness/sign-in-form.ts'
import { expect, test } from './harness/test.ts'

const guarded = ['Dashboard', 'Connect', 'Discover', 'Observatory', 'Account']

async function openMenu(page: Page) {
  const menu = page.getByRole('menu')
  // A page whose code is still on its way takes no click yet.
  await expect(async () => {
    if (!(await menu.isVisible())) await page.getByRole('button', { name: 'Menu' }).click()
    await expect(menu).toBeVisible({ timeout: 2000 })
  }).toPass()
  return menu
}

test("signed out, the menu has Home, Explore, the rest with '(sign in)', and Sign in", async ({
  page,
}) => {
  await page.goto('/')
  const menu = await openMenu(page)
  await expect(menu.getByRole('menuitem')).toHaveText([
    'Home',
    'Explore',
    ...guarded.map((name) => `${name} (sign in)`),
    'Sign in',
  ])
  await expect(menu.getByText('Signed in as')).toHaveCount(0)
  await expect(page.getByRole('link', { name: /^Account / })).toHaveCount(0)
})

test("each '(sign in)' entry and Sign in open the dialog, on the page where they are", async ({
  page,
}) => {
  await page.goto('/')
  const { dialog } = signInForm(page)
  for (const name of [...guarded.map((entry) => `${entry} (sign in)`), 'Sign in']) {
    const menu = await openMenu(page)
    await menu.getByRole('menuitem', { name, exact: true }).click()
    await expect(dialog).toBeVisible()
    await expect(page).toHaveURL('/')
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  }
})

test('signed in, the menu names the user and has every screen and Log out', async ({
  page,
  user,
}) => {
  await page.goto('/explore')
  const menu = await openMenu(page)
  await expect(menu.getByText(/^Signed in as/)).toHaveText(`Signed in as ${user.username}`)
  await expect(menu.getByRole('menuitem')).toHaveText(['Home', 'Explore', ...guarded, 'Log out'])
})

test('each entry leads to its screen, without a reload', async ({ page, user }) => {
  await page.goto('/')
  await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
  await markDocument(page)
  for (const name of ['Explore', ...guarded, 'Home']) {
    const menu = await openMenu(page)
    await menu.getByRole('menuitem', { name, exact: true }).click()
    await expect(page).toHaveURL(name === 'Home' ? '/' : `/${name.toLowerCase()}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('data-not-reloaded')
  }
})

test("beside the menu stands a link to the account, with the username and its first letter's avatar", async ({
  page,
  user,
}) => {
  await page.goto('/explore')
  const link = page.getByRole('banner').getByRole('link', { name: `Account ${user.username}` })
  await expect(link).toContainText(user.username)
  await expect(link.getByText('N', { exact: true })).toBeVisible()
  await link.click()
  await expect(page).toHaveURL('/account')
})

test('[S14] Log out reloads the page, and the old cookie is dead', async ({ page, user }) => {
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
})

test('a log out that gets no answer says so, and the user stays signed in', async ({
  page,
  problems,
  user,
}) => {
  problems.expectFailure('dropped')
  await page.goto('/explore')
  await page.route('**/api/auth/logout', (route) => route.abort('connectionreset'))
  const menu = await openMenu(page)
  await menu.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page.getByText('You are still signed in', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
})

test('by keyboard: the arrows move through the menu, Enter follows, Escape returns the focus', async ({
  page,
  user,
}) => {
  await page.goto('/explore')
  await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
  const button = page.getByRole('button', { name: 'Menu' })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(button).toBeFocused()

  await page.keyboard.press('Enter')
  await expect(page.locator('[role=menu]:focus-within')).toBeVisible()
  await page.keyboard.press('Home')
  await expect(page.getByRole('menuitem', { name: 'Home' })).toBeFocused()
  for (const name of ['Explore', ...guarded]) {
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('menuitem', { name })).toBeFocused()
  }
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/account')
})
