import { listPublicDevices, updateDevice } from '@astropelago/contract/devices'
import { streamFeed } from '@astropelago/contract/feed'
import type { Page } from '@playwright/test'
import { accountParts } from './harness/account-parts.ts'
import { askApi } from './harness/ask-api.ts'
import { connectSteps } from './harness/connect-steps.ts'
import { makeDevice } from './harness/devices.ts'
import { blockFeed } from './harness/feed-blockade.ts'
import { countRequests, feedOpen, isFeed } from './harness/feed-requests.ts'
import { flippingDevice } from './harness/flipping-device.ts'
import { observatoryParts } from './harness/observatory-parts.ts'
import { expectAccessible } from './harness/page-health.ts'
import { setHidden } from './harness/set-hidden.ts'
import { signUp } from './harness/sign-up.ts'
import { startServer } from './harness/start-server.ts'
import { expect, test } from './harness/test.ts'

test.beforeEach(({ user }) => expect(user.username).toBeDefined())

test.describe('while the feed is blocked', { tag: '@long' }, () => {
  test('a flip shows in the list with the next poll, and a mark says “reconnecting”', async ({
    page,
    problems,
  }) => {
    await blockFeed(page, problems)
    const { device, comeOnline } = await flippingDevice(page.context().request, {
      label: 'Northern Light',
    })
    await page.clock.install()
    await page.goto(`/observatory?q=${encodeURIComponent(device.label)}`)
    const { status, grid } = observatoryParts(page)
    const mark = status.getByText('reconnecting', { exact: true })
    await expect(mark).toHaveAttribute('title', /^SSE error: /)
    await expect(grid).toContainText('unknown')
    await comeOnline()
    await page.clock.fastForward(5000)
    await expect(grid).toContainText('online')
    await expectAccessible(page)
  })

  test('a flip shows on Account with the next poll', async ({ page, problems }) => {
    await blockFeed(page, problems)
    const { comeOnline } = await flippingDevice(page.context().request)
    await page.clock.install()
    await page.goto('/account')
    const { publicRows } = accountParts(page)
    await expect(publicRows).toContainText('never seen')
    await expect(page.getByText('reconnecting', { exact: true })).toBeVisible()
    await comeOnline()
    await page.clock.fastForward(10_000)
    await expect(publicRows).toContainText('seen')
    await expect(publicRows).toContainText('online')
    await expectAccessible(page)
  })

  test("a flip shows on Connect's last step with the next poll", async ({ page, problems }) => {
    await blockFeed(page, problems)
    const { device, comeOnline } = await flippingDevice(page.context().request)
    await page.goto(`/connect?device=${device.id}`)
    const { watch } = connectSteps(page)
    await expect(watch).toContainText('Waiting for')
    await expect(watch.getByText('reconnecting', { exact: true })).toBeVisible()
    await comeOnline()
    await expect(watch).toContainText('online', { timeout: 2000 })
  })

  test('once it is unblocked, the feed continues from the last polled list', async ({
    page,
    problems,
  }) => {
    const free = await blockFeed(page, problems)
    const request = page.context().request
    await page.clock.install()
    await page.goto('/observatory')
    const { status, grid } = observatoryParts(page)
    await expect(status.getByText('reconnecting', { exact: true })).toBeVisible()
    await flippingDevice(request, { label: 'While blocked' })
    const open = feedOpen(page)
    await free()
    await open
    await expect(status.getByText('reconnecting', { exact: true })).toHaveCount(0)
    await expect(grid).toContainText('While blocked')
    const lists = countRequests(page, listPublicDevices.path)
    await page.clock.fastForward(10_000)
    await flippingDevice(request, { label: 'While live' })
    await expect(grid).toContainText('While live')
    expect(lists()).toBe(0)
  })
})

test('others see a device while it is public, and its owner sees both changes', async ({
  page,
  browser,
  baseURL,
}) => {
  const request = page.context().request
  const { id } = await makeDevice(request, { label: 'Cellar', visibility: 'private' })
  const turn = (visibility: 'public' | 'private') =>
    askApi(request, updateDevice, { params: { id }, data: { visibility } })
  const account = await page.context().newPage()
  let open = feedOpen(account)
  await account.goto('/account')
  await open
  const others = await browser.newContext()
  await signUp(others, { url: String(baseURL) })
  const observatory = await others.newPage()
  open = feedOpen(observatory)
  await observatory.goto(`${baseURL}/observatory?q=cellar`)
  await open
  const { rows } = observatoryParts(observatory)
  const { publicRows, privateRows } = accountParts(account)
  await expect(rows).toHaveCount(0)
  await expect(privateRows).toHaveCount(1)
  // The feed has no private devices, so this is Account's own interval.
  await turn('public')
  await expect(rows).toHaveCount(1)
  await expect(publicRows).toHaveCount(1, { timeout: 1000 })
  await turn('private')
  await expect(rows).toHaveCount(0)
  await expect(privateRows).toHaveCount(1, { timeout: 1000 })
  await others.close()
})

test(
  'a private device’s status is still polled while the feed is live',
  { tag: '@long' },
  async ({ page }) => {
    const { comeOnline } = await flippingDevice(page.context().request, { visibility: 'private' })
    await page.clock.install()
    const open = feedOpen(page)
    await page.goto('/account')
    await open
    const { privateRows } = accountParts(page)
    await expect(privateRows).toContainText('never seen')
    await comeOnline()
    await page.clock.fastForward(10_000)
    await expect(privateRows).toContainText('online')
  },
)

test(
  'two tabs receive a flip, even the one in the background',
  { tag: '@long' },
  async ({ page, context }) => {
    const { device, comeOnline } = await flippingDevice(context.request, { label: 'Twin' })
    const other = await context.newPage()
    const tabs = [page, other]
    const grids = []
    for (const tab of tabs) {
      const open = feedOpen(tab)
      await tab.goto(`/observatory?q=${encodeURIComponent(device.label)}`)
      await open
      const { grid } = observatoryParts(tab)
      await expect(grid).toContainText('unknown')
      grids.push(grid)
    }
    // A background tab draws no frames, so ask its page.
    const shown = Promise.all(
      grids.map((grid) => expect(grid).toContainText('online', { timeout: 3000 })),
    )
    await comeOnline()
    await shown
  },
)

test('a tab that is hidden for an hour disconnects, and catches up with one request', async ({
  page,
}) => {
  const { device, comeOnline } = await flippingDevice(page.context().request, { label: 'Sleeper' })
  await page.clock.install()
  let open = feedOpen(page)
  await page.goto(`/observatory?q=${encodeURIComponent(device.label)}`)
  await open
  const { grid } = observatoryParts(page)
  await expect(grid).toContainText('unknown')
  const closed = page.waitForEvent('requestfailed', isFeed)
  await setHidden(page, true)
  await page.clock.fastForward(3_600_000)
  await closed
  await comeOnline()
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  open = feedOpen(page)
  await setHidden(page, false)
  await open
  await expect(grid).not.toContainText('unknown')
  expect(asked).toEqual([streamFeed.path])
})

test(
  'a page follows a restarted server again, from its list on',
  { tag: '@long' },
  async ({ page, context, problems }) => {
    problems.expectFailure('dropped')
    const server = await startServer()
    try {
      await signUp(context, server)
      const open = feedOpen(page)
      await page.goto(`${server.url}/observatory`)
      await open
      const { status } = observatoryParts(page)
      await expect(status).toContainText('No public devices yet.')
      const mark = status.getByText('reconnecting', { exact: true })
      // Code for dialogs is fetched when the browser is idle, and needs the server.
      await expect.poll(() => hasFetched(page, 'sign-in-dialog')).toBe(true)
      const lists: (() => number)[] = []
      await server.restart(async () => {
        await expect(mark).toBeVisible()
        await page.waitForEvent('requestfailed', isFeed)
        // Listen from now on, because the page may reconnect before the test continues.
        lists.push(countRequests(page, listPublicDevices.path))
      })
      await expect(mark).toHaveCount(0, { timeout: 35_000 })
      await expect(status).toContainText('No public devices yet.')
      expect(lists[0]?.()).toBeGreaterThan(0)
    } finally {
      await page.close()
      await server.stop()
    }
  },
)

async function hasFetched(page: Page, chunk: string): Promise<boolean> {
  return await page.evaluate(
    (name) =>
      performance
        .getEntriesByType('resource')
        .some((entry) => entry.name.includes(`/assets/${name}-`)),
    chunk,
  )
}
