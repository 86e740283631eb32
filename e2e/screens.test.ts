import { signInForm } from './harness/sign-in-form.ts'
import { goByMenu } from './harness/go-by-menu.ts'
import { expectAccessible, watchLayoutShift } from './harness/page-health.ts'
import { expect, test } from './harness/test.ts'

/** Layout that jumps by less than this is not noticed. */
const maxLayoutShift = 0.01

const screens = [
  { path: '/', title: 'Astropelago' },
  { path: '/explore', title: 'Explore · Astropelago' },
  { path: '/discover', title: 'Discover · Astropelago' },
  { path: '/observatory', title: 'Observatory · Astropelago' },
  { path: '/dashboard', title: 'Dashboard · Astropelago' },
] as const
const publicPaths: readonly string[] = ['/', '/explore']

for (const { path, title } of screens) {
  test(`${path}, signed in: axe finds nothing, nothing overflows or jumps`, async ({
    page,
    user,
  }) => {
    const layoutShift = await watchLayoutShift(page)
    await page.goto(path)
    await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page).toHaveTitle(title)
    expect(await layoutShift()).toBeLessThan(maxLayoutShift)
    await expectAccessible(page)
  })
}

for (const path of publicPaths) {
  test(`${path}, signed out: axe finds nothing, nothing overflows or jumps`, async ({ page }) => {
    const layoutShift = await watchLayoutShift(page)
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await layoutShift()).toBeLessThan(maxLayoutShift)
    await expectAccessible(page)
  })
}

test('the menu signed in: axe finds nothing, nothing overflows', async ({ page, user }) => {
  await page.goto('/explore')
  await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await expectAccessible(page)
})

test('the menu signed out, and the sign-in dialog with a refusal: axe finds nothing, nothing overflows', async ({
  page,
}) => {
  await page.goto('/explore')
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: 'Sign in', exact: true }).click()
  const form = signInForm(page)
  await form.signIn.click()
  await expect(form.alert).toBeVisible()
  await expectAccessible(page)
})

test('an anonymous visit to / and /explore calls the server for nothing but the notice that it has loaded', async ({
  page,
}) => {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/') || pathname.startsWith('/_spark/')) calls.push(pathname)
  })
  for (const path of publicPaths) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.getByRole('button', { name: 'Menu' }).click()
    await expect(page.getByRole('menuitem', { name: 'Sign in', exact: true })).toBeVisible()
  }
  expect(calls).toEqual(['/_spark/loaded', '/_spark/loaded'])
})

test('a hint of a session that has ended costs one failing call, then it is gone', async ({
  page,
  problems,
  baseURL,
}) => {
  problems.expectFailure(401)
  await page
    .context()
    .addCookies([{ name: 'astropelago_signed_in', value: '1', url: baseURL ?? '' }])
  await page.goto('/explore')
  await expect.poll(() => page.context().cookies()).toEqual([])
  let calls = 0
  page.on('request', (request) => {
    if (request.url().includes('/api/')) calls += 1
  })
  await page.reload()
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('menuitem', { name: 'Sign in', exact: true })).toBeVisible()
  expect(calls).toBe(0)
})

test('a page change moves the focus to the new content and reads out its title', async ({
  page,
  user,
}) => {
  await page.goto('/explore')
  await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
  await goByMenu(page, 'Connect')
  await expect(page.getByRole('main')).toBeFocused()
  await expect(page.getByRole('status').filter({ hasText: 'Connect' })).toHaveCount(1)
})
