import { accountParts } from './harness/account-parts.ts'
import { expect, test } from './harness/test.ts'

test('[S14] Log out goes to /, and the old cookie is dead', async ({ page, user }) => {
  const cookies = await page.context().cookies()
  await page.goto('/account')
  const { profile } = accountParts(page)
  await expect(profile).toContainText(user.username)
  await profile.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: /^Account / })).toHaveCount(0)
  await page.context().addCookies(cookies)
  expect((await page.context().request.get('/api/me')).status()).toBe(401)
})
