import { accountParts } from './harness/account-parts.ts'
import { newCredentials } from './harness/new-credentials.ts'
import { openSignInForm } from './harness/sign-in-form.ts'
import { expect, test } from './harness/test.ts'

test(
  'a password change signs out other browsers, and a deleted account can’t sign in',
  { tag: '@long' },
  async ({ page, browser, baseURL, problems }) => {
    const user = newCredentials()
    const first = await openSignInForm(page)
    await first.username.fill(user.username)
    await first.password.fill(user.password)
    await first.register.click()
    await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()

    const other = await browser.newContext(baseURL === undefined ? {} : { baseURL })
    const elsewhere = await other.newPage()
    const form = await openSignInForm(elsewhere)
    await form.username.fill(user.username)
    await form.password.fill(user.password)
    await form.signIn.click()
    await expect(elsewhere.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()

    const newPassword = 'another long passphrase'
    const { part, dialog } = accountParts(page)
    // Messages that were sent before parts had paths contain this address.
    await page.goto('/account?part=security')
    await expect(page).toHaveURL('/account/security')
    await expect(part('Where you are signed in').getByRole('listitem')).toHaveCount(2)
    const password = part('Password')
    await password.getByLabel('Current password').fill(user.password)
    await password.getByLabel('New password').fill(newPassword)
    await password.getByRole('button', { name: 'Change password' }).click()
    await expect(part('Where you are signed in').getByRole('listitem')).toHaveCount(1)
    await elsewhere.goto('/account')
    await expect(elsewhere).toHaveURL('/explore?signin=1')
    await other.close()

    await page
      .getByRole('navigation', { name: 'Account' })
      .getByRole('link', { name: 'Data' })
      .click()
    await page.getByRole('button', { name: 'Delete account…' }).click()
    const question = dialog('Delete your account?')
    await question.getByLabel(/^Type your username/).fill(user.username)
    await question.getByLabel('Your password').fill(newPassword)
    await question.getByRole('button', { name: 'Delete account for good' }).click()
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('link', { name: /^Account / })).toHaveCount(0)

    problems.expectFailure(401)
    const last = await openSignInForm(page)
    await last.username.fill(user.username)
    await last.password.fill(newPassword)
    await last.signIn.click()
    await expect(last.dialog.getByRole('alert')).toHaveText('Incorrect username or password')
  },
)
