import { accountParts } from './harness/account-parts.ts'
import { expect, test } from './harness/test.ts'

const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

test('[S14] Log out leads to /, and the old cookie stops working', async ({ page, user }) => {
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

test('a user previews, uploads and removes a picture, which survives a reload', async ({
  page,
  user,
}) => {
  const account = page.getByRole('link', { name: `Account ${user.username}` })
  const widthPx = () =>
    account.getByRole('presentation').evaluate((image: HTMLImageElement) => image.naturalWidth)
  await page.goto('/account/profile')
  const buffer = Buffer.from(onePixel, 'base64')
  await page
    .getByLabel('Choose a picture')
    .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer })
  await expect(page.getByRole('img', { name: 'As others will see it' })).toBeVisible()
  await page.getByRole('button', { name: 'Use this picture' }).click()
  await expect.poll(widthPx).toBe(256)
  await page.reload()
  await expect.poll(widthPx).toBe(256)
  await page.getByRole('button', { name: 'Remove your picture' }).click()
  await expect(account.getByRole('presentation')).toHaveCount(0)
})
