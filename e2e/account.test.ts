import { accountParts } from './harness/account-parts.ts'
import { expect, test } from './harness/test.ts'

test('[S14] Log out goes to /, and the old cookie is dead', async ({ page, user }) => {
  const cookies = await page.context().cookies()
  await page.goto('/account')
  const { logOut } = accountParts(page)
  await expect(page.getByRole('main')).toContainText(user.username)
  await logOut.click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: /^Account / })).toHaveCount(0)
  await page.context().addCookies(cookies)
  expect((await page.context().request.get('/api/me')).status()).toBe(401)
})
