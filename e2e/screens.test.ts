import { watchLayoutShift } from './harness/page-health.ts'
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

test('signed in, no screen jumps while it loads', async ({ page, user }) => {
  const layoutShift = await watchLayoutShift(page)
  for (const { path, title } of screens) {
    await page.goto(path)
    await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page).toHaveTitle(title)
    expect(await layoutShift(), path).toBeLessThan(maxLayoutShift)
  }
})

test('signed out, no screen jumps while it loads', async ({ page }) => {
  const layoutShift = await watchLayoutShift(page)
  for (const path of publicPaths) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await layoutShift(), path).toBeLessThan(maxLayoutShift)
  }
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
