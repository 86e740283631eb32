import { openSignInForm } from '../harness/sign-in-form.ts'
import { takePictures } from '../harness/take-pictures.ts'
import { expect, test } from '../harness/test.ts'

const pages = ['', 'explore', 'discover', 'observatory', 'dashboard']

for (const name of pages) {
  test(`${name || 'landing'} signed in`, async ({ page, user }) => {
    await page.goto(`/${name}`)
    await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await takePictures(page, `${name || 'landing'}-signed-in`)
  })
}

for (const name of ['', 'explore']) {
  test(`${name || 'landing'} signed out`, async ({ page }) => {
    await page.goto(`/${name}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await takePictures(page, name || 'landing')
  })
}

test('menu signed out', async ({ page }) => {
  await page.goto('/explore')
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await takePictures(page, 'menu')
})

test('menu signed in', async ({ page, user }) => {
  await page.goto('/explore')
  await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await takePictures(page, 'menu-signed-in')
})

test('sign-in: empty, refused, with a field’s error, and waiting', async ({ page }) => {
  const form = await openSignInForm(page)
  await takePictures(page, 'sign-in')
  await form.signIn.click()
  await takePictures(page, 'sign-in-required')
  await form.username.fill('no')
  await form.password.fill('a long passphrase')
  await form.signIn.click()
  await takePictures(page, 'sign-in-username')
  const asked = page.waitForRequest('**/api/auth/**')
  await page.route('**/api/auth/**', () => asked)
  await form.username.fill('someone')
  await form.signIn.click()
  await asked
  await takePictures(page, 'sign-in-waiting')
})

test('a toast', async ({ page, problems, user }) => {
  problems.expectFailure('dropped')
  await page.goto('/explore')
  await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
  await page.route('**/api/auth/logout', (route) => route.abort('connectionreset'))
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page.getByText('You are still signed in', { exact: true })).toBeVisible()
  await takePictures(page, 'toast')
})

test('an unknown path', async ({ page, problems }) => {
  problems.expectFailure(404)
  await page.goto('/no/such/place')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await takePictures(page, 'not-found')
})

test('a page that breaks, and one whose code can’t be fetched', async ({
  page,
  problems,
  user,
}) => {
  problems.expectFailure('dropped')
  const chunk = /\/assets\/dashboard-with-news-[^/]+\.js$/
  await page.route(chunk, (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `export function DashboardPage() { throw new Error('The dials came off') }`,
    }),
  )
  await page.goto('/dashboard')
  await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await takePictures(page, 'runtime-error')
  await page.unroute(chunk)
  await page.route(chunk, (route) => route.abort('connectionreset'))
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await takePictures(page, 'router-error')
  problems.takeProblems(/The dials came off|dashboard-page/)
})
