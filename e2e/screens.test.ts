import { listPublicDevices } from '@astropelago/contract/devices'
import { listNeighbours } from '@astropelago/contract/neighbours'
import { streamFeed } from '@astropelago/contract/feed'
import { readAttendance } from '@astropelago/contract/rooms'
import { listIslands } from '@astropelago/contract/island-directory'
import { getMe } from '@astropelago/contract/me'
import { holdAnswer } from './harness/held-answer.ts'
import { watchLayoutShift } from './harness/page-health.ts'
import { expect, test } from './harness/test.ts'

/** Nobody notices a smaller layout shift. */
const maxLayoutShift = 0.01

const screens = [
  { path: '/', title: 'Astropelago' },
  { path: '/explore', title: 'Explore · Astropelago' },
  { path: '/discover', title: 'Discover · Astropelago' },
  { path: '/observatory', title: 'Observatory · Astropelago' },
  { path: '/dashboard', title: 'Dashboard · Astropelago' },
  { path: '/checks', title: 'Checks · Astropelago' },
  { path: '/discover/islands', title: 'Islands · Discover · Astropelago' },
  { path: '/discover/charts', title: 'Charts · Discover · Astropelago' },
  { path: '/discover/signals', title: 'Signals · Discover · Astropelago' },
  { path: '/islands/thetravelerstavern', title: 'Community Lounge · Astropelago' },
  { path: '/new-island', title: 'Island Builder · Astropelago' },
  { path: '/harbor-logs', title: 'Harbor Logs · Astropelago' },
  { path: '/library', title: 'Library · Astropelago' },
  { path: '/library/safety', title: 'Safety for hosts · Astropelago' },
] as const
const publicPaths: readonly string[] = [
  '/',
  '/explore',
  '/islands/thetravelerstavern',
  '/harbor-logs',
  '/library',
  '/library/safety',
]
/** Loading content that would move what is below it. */
const busy = 'main [aria-busy=true]'

test('signed in, screens load without layout shifts', async ({ page, user }) => {
  const layoutShift = await watchLayoutShift(page)
  for (const { path, title } of screens) {
    await page.goto(path)
    await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page).toHaveTitle(title)
    await expect(page.locator(busy)).toHaveCount(0)
    expect(await layoutShift(), path).toBeLessThan(maxLayoutShift)
  }
})

test(
  'a page scrolled to its end does not jump on a reload',
  { tag: '@long' },
  async ({ page, user }) => {
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
  },
)

test('going back restores the scroll position, also after reloads', async ({
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

test('signed out, screens load without layout shifts', { tag: '@long' }, async ({ page }) => {
  const layoutShift = await watchLayoutShift(page)
  for (const path of publicPaths) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator(busy)).toHaveCount(0)
    expect(await layoutShift(), path).toBeLessThan(maxLayoutShift)
  }
})

test('an anonymous visit to / and /explore loads only public data, and no call fails', async ({
  page,
}) => {
  const calls = new Set<string>()
  const refused: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/') || pathname.startsWith('/_spark/')) calls.add(pathname)
  })
  page.on('response', (response) => {
    if (!response.ok()) refused.push(response.url())
  })
  const visit = async (path: string) => {
    calls.clear()
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.getByRole('button', { name: 'Menu' }).click()
    await expect(page.getByRole('menuitem', { name: 'Sign in', exact: true })).toBeVisible()
  }
  const forTheLanding = new Set<string>([
    '/_spark/loaded',
    listIslands.path,
    readAttendance.path,
    listPublicDevices.path,
  ])
  await visit('/')
  expect([...calls].filter((path) => !forTheLanding.has(path))).toEqual([])
  await visit('/explore')
  await expect(page.getByRole('region', { name: 'Open now' })).not.toHaveAttribute('aria-busy')
  const forEverybody = new Set<string>([
    '/_spark/loaded',
    listIslands.path,
    readAttendance.path,
    // The live feed, from the public list's sequence.
    listPublicDevices.path,
    streamFeed.path,
    listNeighbours.path,
  ])
  expect([...calls].filter((path) => !forEverybody.has(path))).toEqual([])
  // The build rendered it without the address's parameters.
  await page.goto('/explore?q=harbour')
  await expect(page.getByRole('searchbox', { name: 'Search the network' })).toHaveValue('harbour')
  await expect(page.getByText(/^Nothing that you can see is called|^Found /)).toBeVisible()
  expect(refused).toEqual([])
})

test(
  'a hint of an ended session causes one failing call, then it is removed',
  { tag: '@long' },
  async ({ page, problems, baseURL }) => {
    problems.expectFailure(401)
    await page
      .context()
      .addCookies([{ name: 'astropelago_signed_in', value: '1', url: baseURL ?? '' }])
    const complaint = page.waitForEvent('console')
    await page.goto('/explore')
    await expect.poll(() => page.context().cookies()).toEqual([])
    await complaint
    let calls = 0
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === getMe.path) calls += 1
    })
    await page.reload()
    await page.getByRole('button', { name: 'Menu' }).click()
    await expect(page.getByRole('menuitem', { name: 'Sign in', exact: true })).toBeVisible()
    expect(calls).toBe(0)
  },
)
