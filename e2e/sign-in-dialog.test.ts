import { newCredentials } from './harness/new-credentials.ts'
import { expectReloaded, markDocument } from './harness/reload-mark.ts'
import { openSignInForm } from './harness/sign-in-form.ts'
import { expect, test } from './harness/test.ts'

test('Register, Sign in and Demo sign in and reload the page', async ({ page }) => {
  const { username, password } = newCredentials()
  const account = page.getByRole('link', { name: /^Account / })
  const names: (string | null)[] = []
  for (const way of ['register', 'signIn', 'demo'] as const) {
    const form = await openSignInForm(page)
    if (way !== 'demo') {
      await form.username.fill(username)
      await form.password.fill(password)
    }
    await markDocument(page)
    await form[way].click()
    await expectReloaded(page)
    await expect(page).toHaveURL('/explore')
    await expect(form.dialog).toHaveCount(0)
    await expect(account).toBeVisible()
    names.push(await account.getAttribute('aria-label'))
    await page.context().clearCookies()
  }
  const own = `Account ${username}`
  expect(names).toEqual([own, own, expect.not.stringContaining(own)])
})
