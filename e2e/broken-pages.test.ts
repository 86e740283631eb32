import { expect, test } from './harness/test.ts'

const dashboardChunk = /\/assets\/dashboard-page-[^/]+\.js$/

test('a page that breaks while it is drawn shows what happened, and Try Again resets it', async ({
  page,
  problems,
  user,
}) => {
  // Nothing in a sound build breaks, so the page's code is replaced by code that does.
  await page.route(dashboardChunk, (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `export function DashboardPage() {
        if (document.documentElement.dataset.mended === undefined) throw new Error('The dials came off')
        return 'The dials are back'
      }`,
    }),
  )
  await page.goto('/explore')
  await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('menuitem', { name: 'Dashboard' }).click()

  const screen = page.getByRole('main').getByRole('alert')
  await expect(screen.getByRole('heading', { level: 1 })).toHaveText(
    'This spark has encountered a runtime error',
  )
  await expect(screen).toContainText(
    'Something unexpected happened while running the application. The error details are shown below. Contact the spark author and let them know about this issue.',
  )
  await expect(screen).toContainText('Error Details:')
  await expect(screen).toContainText('The dials came off')
  await expect(page.getByRole('banner')).toBeVisible()

  await page.evaluate(() => {
    document.documentElement.dataset['mended'] = ''
  })
  await screen.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByText('The dials are back')).toBeVisible()
  await expect(screen).toHaveCount(0)
  // React reports what it caught.
  expect(problems.takeProblems(/The dials came off/)).toBeGreaterThan(0)
})

test('leaving a broken page leaves the error behind', async ({ page, problems, user }) => {
  await page.route(dashboardChunk, (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `export function DashboardPage() { throw new Error('The dials came off') }`,
    }),
  )
  await page.goto('/dashboard')
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
  await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('menuitem', { name: 'Discover' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Discover' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
  expect(problems.takeProblems(/The dials came off/)).toBeGreaterThan(0)
})

test("a page that can't be fetched reads: Unexpected Application Error!, and can be loaded again", async ({
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

test("a sign-in dialog that can't be fetched says so, and opens at the next try", async ({
  page,
  problems,
}) => {
  problems.expectFailure('dropped')
  const chunk = /\/assets\/sign-in-dialog-[^/]+\.js$/
  await page.route(chunk, (route) => route.abort('connectionreset'))
  await page.goto('/explore?signin=1')
  await expect(page.getByText('Sign-in could not be loaded', { exact: true })).toBeVisible()
  await page.unroute(chunk)
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Sign in' })).toBeVisible()
})
