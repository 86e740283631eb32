import { expect, test } from './harness/test.ts'

const dashboardChunk = /\/assets\/dashboard-with-news-[^/]+\.js$/

test("a page whose code can't be fetched shows 'Unexpected Application Error!' and can be reloaded", async ({
  page,
  problems,
  user,
}) => {
  problems.expectFailure('dropped')
  await page.route(dashboardChunk, (route) => route.abort('connectionreset'))
  await page.goto('/explore')
  await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('menuitem', { name: 'Dashboard' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unexpected Application Error!')
  await page.unroute(dashboardChunk)
  await page.getByRole('button', { name: 'Load again' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  problems.takeProblems(/dashboard-page/)
})

test(
  "a sign-in dialog whose code can't be fetched says so, and opens at the next try",
  { tag: '@long' },
  async ({ page, problems }) => {
    problems.expectFailure('dropped')
    const chunk = /\/assets\/sign-in-dialog-[^/]+\.js$/
    await page.route(chunk, (route) => route.abort('connectionreset'))
    await page.goto('/explore?signin=1')
    await expect(page.getByText('Sign-in could not be loaded', { exact: true })).toBeVisible()
    await page.unroute(chunk)
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('menuitem', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('dialog', { name: 'Sign in' })).toBeVisible()
  },
)
