import { holdAnswer } from './harness/held-answer.ts'
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

test('a page that was scrolled to its end does not jump as it is reloaded', async ({
  page,
  user,
}) => {
  const layoutShift = await watchLayoutShift(page)
  await page.goto('/account')
  await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
  await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }))
  const answer = await holdAnswer(page, '/api/me')
  const reloaded = page.reload()
  await answer.asked
  answer.release()
  await reloaded
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await layoutShift()).toBeLessThan(maxLayoutShift)
})

test('each entry of the history comes back to where it was scrolled, reloads between them too', async ({
  page,
  user: _user,
}) => {
  await page.setViewportSize({ width: 360, height: 640 })
  const scrolled = () => page.evaluate(() => Math.round(scrollY))
  const scroll = async (top: number) => {
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.evaluate((to) => scrollTo({ top: to, behavior: 'instant' }), top)
    return await scrolled()
  }
  await page.goto('/explore')
  const before = await scroll(200)
  await page.goto('/account')
  expect(await scroll(90)).not.toBe(before)
  await page.goBack()
  await expect(page).toHaveURL('/explore')
  await expect.poll(scrolled).toBe(before)
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
