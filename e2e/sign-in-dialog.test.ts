import { holdAnswer } from './harness/held-answer.ts'
import { newCredentials } from './harness/new-credentials.ts'
import { expectReloaded, markDocument } from './harness/reload-mark.ts'
import { openSignInForm, signInForm } from './harness/sign-in-form.ts'
import { expect, test } from './harness/test.ts'

test('?signin=1 opens the dialog when nobody is signed in, and closing it takes the parameter away', async ({
  page,
}) => {
  const form = await openSignInForm(page)
  await form.dialog.getByRole('button', { name: 'Close' }).click()
  await expect(form.dialog).toBeHidden()
  await expect(page).toHaveURL('/explore')
})

test('?signin=1 opens nothing for who is signed in', async ({ page, user }) => {
  await page.goto('/explore?signin=1')
  await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await expect(signInForm(page).dialog).toHaveCount(0)
})

test("the window's event 'open sign-in' opens the dialog", async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(signInForm(page).dialog).toHaveCount(0)
  await page.evaluate(() => window.dispatchEvent(new Event('open sign-in')))
  await expect(signInForm(page).username).toBeFocused()
})

test('Register makes an account, Sign in finds it again, and each success reloads the page', async ({
  page,
}) => {
  const { username, password } = newCredentials()
  for (const way of ['register', 'signIn'] as const) {
    const form = await openSignInForm(page)
    await form.username.fill(username)
    await form.password.fill(password)
    await markDocument(page)
    await form[way].click()
    await expectReloaded(page)
    await expect(page).toHaveURL('/explore')
    await expect(form.dialog).toHaveCount(0)
    await expect(page.getByRole('link', { name: `Account ${username}` })).toBeVisible()
    await page.context().clearCookies()
  }
})

test('Demo signs in to a new account each time, without a username or a password', async ({
  page,
}) => {
  const names = new Set<string | null>()
  for (let visit = 0; visit < 2; visit += 1) {
    const form = await openSignInForm(page)
    await markDocument(page)
    await form.demo.click()
    await expectReloaded(page)
    const account = page.getByRole('link', { name: /^Account / })
    await expect(account).toBeVisible()
    names.add(await account.getAttribute('aria-label'))
    await page.context().clearCookies()
  }
  expect(names.size).toBe(2)
})

for (const way of ['signIn', 'register', 'demo'] as const) {
  test(`${way}: while it waits all three buttons are disabled and read Signing in…, Creating…, Demo…`, async ({
    page,
  }) => {
    const form = await openSignInForm(page)
    const paths = {
      signIn: '/api/auth/password-login',
      register: '/api/auth/register',
      demo: '/api/auth/demo',
    }
    const answer = await holdAnswer(page, paths[way])
    // For sign-in the pair of an account that exists, so that all three succeed.
    const { username, password } = newCredentials()
    if (way === 'signIn') {
      await page.context().request.post(paths.register, { data: { username, password } })
      await page.context().clearCookies()
    }
    await form.username.fill(username)
    await form.password.fill(password)
    await markDocument(page)
    await form[way].click()
    await answer.asked

    for (const name of ['Signing in…', 'Creating…', 'Demo…']) {
      await expect(form.dialog.getByRole('button', { name, exact: true })).toBeDisabled()
    }
    for (const name of ['Sign in', 'Register', 'Demo']) {
      await expect(form.dialog.getByRole('button', { name, exact: true })).toHaveCount(0)
    }
    answer.release()
    await expectReloaded(page)
    await expect(page.getByRole('link', { name: /^Account / })).toBeVisible()
  })
}

test('by keyboard alone: open from the menu, type, and sign in with Enter', async ({
  page,
  request,
}) => {
  const { username, password } = newCredentials()
  await request.post('/api/auth/register', { data: { username, password } })
  await page.goto('/explore')
  const menuButton = page.getByRole('button', { name: 'Menu' })
  const form = signInForm(page)
  const openByKeyboard = async () => {
    await page.keyboard.press('Enter')
    await expect(page.locator('[role=menu]:focus-within')).toBeVisible()
    await page.keyboard.press('End')
    await expect(page.getByRole('menuitem', { name: 'Sign in', exact: true })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(form.username).toBeFocused()
  }
  await menuButton.waitFor()
  for (const landmark of ['Skip to content', 'Astropelago', 'Menu']) {
    await page.keyboard.press('Tab')
    await expect(page.locator(':focus')).toHaveAccessibleName(landmark)
  }
  await openByKeyboard()
  await page.keyboard.press('Escape')
  await expect(form.dialog).toHaveCount(0)
  await expect(menuButton).toBeFocused()

  await openByKeyboard()
  await page.keyboard.type(username)
  await page.keyboard.press('Tab')
  await expect(form.password).toBeFocused()
  await page.keyboard.type(password)
  await markDocument(page)
  await page.keyboard.press('Enter')
  await expectReloaded(page)
  await expect(page.getByRole('link', { name: `Account ${username}` })).toBeVisible()
})

test('the dialog keeps the focus inside and what was typed when it is shown', async ({ page }) => {
  const form = await openSignInForm(page)
  await form.password.fill('a long passphrase')
  await form.dialog.getByRole('button', { name: 'Show password' }).click()
  await expect(form.password).toHaveAttribute('type', 'text')
  await expect(form.password).toHaveValue('a long passphrase')
  await form.dialog.getByRole('button', { name: 'Hide password' }).click()
  await expect(form.password).toHaveAttribute('type', 'password')

  await form.username.focus()
  for (let presses = 0; presses < 8; presses += 1) {
    await page.keyboard.press('Tab')
    await expect(form.dialog.locator(':focus')).toHaveCount(1)
  }
})
