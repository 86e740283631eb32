import { getMe, updateMe } from '@astropelago/contract/accounts'
import { askApi } from './harness/ask-api.ts'
import { expectAccessible, expectNoSidewaysScroll } from './harness/page-health.ts'
import { expect, test } from './harness/test.ts'

test("greets 'Welcome back,' followed by the username, whatever the name is", async ({
  page,
  user,
}) => {
  await askApi(page.request, updateMe, { data: { name: 'Captain Nemo' } })
  await page.goto('/dashboard')
  await expect(page.getByText(`Welcome back, ${user.username}`, { exact: true })).toBeVisible()
  await expect(page.getByText('Captain Nemo')).toHaveCount(0)
})

for (const { what, name } of [
  { what: 'a long name', name: 'N'.repeat(64) },
  { what: 'right-to-left text', name: 'כוכבים'.repeat(10) },
  { what: 'emoji', name: '👩‍🚀'.repeat(8) },
]) {
  test(`or, failing that, the name: ${what} stays inside`, async ({ page, user }) => {
    // Every account has a username, so an answer without one is made up.
    await page.route(`**${getMe.path}`, (route) =>
      route.fulfill({ json: { user: { username: '', name, avatar: null } } }),
    )
    await page.goto('/dashboard')
    expect(user.username).not.toBe('')
    const greeting = page.getByText(`Welcome back, ${name}`, { exact: true })
    await expect(greeting).toBeVisible()
    await page.setViewportSize({ width: 320, height: 900 })
    const overhangPx = await greeting.evaluate((line) => line.scrollWidth - line.clientWidth)
    expect(overhangPx).toBeLessThanOrEqual(0)
    await expectNoSidewaysScroll(page)
  })
}

test("two placeholders: 'Recent activity (coming soon)' and 'Your islands (coming soon)'", async ({
  page,
  user,
}) => {
  await page.goto('/dashboard')
  await expect(page.getByText(`Welcome back, ${user.username}`)).toBeVisible()
  for (const name of ['Recent activity (coming soon)', 'Your islands (coming soon)']) {
    await expect(page.getByRole('region', { name, exact: true })).toBeVisible()
    await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
  }
})

test('it leads on to connecting a device', async ({ page, user }) => {
  await page.goto('/dashboard')
  await expect(page.getByText(`Welcome back, ${user.username}`)).toBeVisible()
  await page.getByRole('link', { name: 'Connect a device' }).click()
  await expect(page).toHaveURL('/connect')
})

test('axe finds nothing, nothing overflows, with a username of 32 wide letters', async ({
  page,
  user,
}) => {
  await page.route(`**${getMe.path}`, (route) =>
    route.fulfill({
      json: { user: { username: 'W'.repeat(32), name: user.username, avatar: null } },
    }),
  )
  await page.goto('/dashboard')
  await expect(page.getByText(`Welcome back, ${'W'.repeat(32)}`)).toBeVisible()
  await expectAccessible(page)
})
