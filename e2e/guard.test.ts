import { newCredentials } from './harness/new-credentials.ts'
import { signInForm } from './harness/sign-in-form.ts'
import { expect, test } from './harness/test.ts'

test.beforeEach(({ problems }) => problems.expectFailure(401))

test('a visitor who opens a guarded page gets back with one step', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.goto('/discover')
  await expect(page).toHaveURL('/explore?signin=1')
  await expect(signInForm(page).dialog).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL('/')

  await page.goto('/explore')
  await page.getByRole('link', { name: 'Join now' }).click()
  await expect(page).toHaveURL('/explore?signin=1')
  await expect(signInForm(page).dialog).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL('/explore')
  await expect(signInForm(page).dialog).toHaveCount(0)
})

test('signing in after a redirect leads to the requested page', async ({ page }) => {
  await page.goto('/connect?device=abc')
  const form = signInForm(page)
  const { username, password } = newCredentials()
  await form.username.fill(username)
  await form.password.fill(password)
  await form.register.click()
  await expect(page).toHaveURL('/connect?device=abc')
  await expect(page.getByRole('link', { name: `Account ${username}` })).toBeVisible()
})
