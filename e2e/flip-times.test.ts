import { listOwnDevices, listPublicDevices } from '@astropelago/contract/devices'
import { liveFeed } from '@astropelago/contract/feed'
import { accountParts } from './harness/account-parts.ts'
import { connectSteps } from './harness/connect-steps.ts'
import { countRequests, feedOpen } from './harness/feed-requests.ts'
import { flippingDevice } from './harness/flipping-device.ts'
import { openWholeObservatory } from './harness/open-whole-observatory.ts'
import { shownAt } from './harness/shown-at.ts'
import { expect, test } from './harness/test.ts'

/** Measured from the answer to the heartbeat, which comes after its commit. */
const liveBudgetMs = 1000
const windowMs = 4000
/** How often the server sweeps devices whose deadline has passed. */
const sweepMs = 1000

test.use({ serverSettings: { ONLINE_WINDOW_S: String(windowMs / 1000) } })
test.beforeEach(({ user }) => expect(user.username).toBeDefined())

test(
  'a flip shows on the globe, the map, the list and in the counts within 1 s, without polling',
  { tag: '@long' },
  async ({ page }) => {
    const { device, comeOnline } = await flippingDevice(page.context().request, {
      label: 'Southern Cross',
      lat: -33.9,
      lon: 18.4,
    })
    const open = feedOpen(page)
    await page.clock.install()
    const { status, grid, onlineAt } = await openWholeObservatory(page, device.label)
    await open
    const lists = countRequests(page, listPublicDevices.path)
    await page.clock.fastForward(10_000)
    const shown = onlineAt()
    const committedAt = await comeOnline()
    for (const at of await shown) expect(at - committedAt).toBeLessThan(liveBudgetMs)
    await page.clock.fastForward(10_000)
    const offlineAt = await shownAt(grid, '>offline<')
    expect(offlineAt - committedAt).toBeLessThan(windowMs + sweepMs + liveBudgetMs)
    expect(lists()).toBe(0)
    await expect(status.getByText('reconnecting')).toHaveCount(0)
  },
)

test(
  'a flip shows on Account within 1 s, with when the device was last seen',
  { tag: '@long' },
  async ({ page }) => {
    const { comeOnline } = await flippingDevice(page.context().request)
    const open = feedOpen(page)
    await page.goto('/account')
    await open
    const { publicRows } = accountParts(page)
    await expect(publicRows).toContainText('never seen')
    const shown = shownAt(publicRows, '>online<')
    const committedAt = await comeOnline()
    expect((await shown) - committedAt).toBeLessThan(liveBudgetMs)
    await expect(publicRows).toContainText('seen just now')
  },
)

test(
  "a flip shows on Connect's last step within 1 s, without polling",
  { tag: '@long' },
  async ({ page }) => {
    const { device, comeOnline } = await flippingDevice(page.context().request)
    await page.clock.install()
    const open = feedOpen(page)
    await page.goto(`/connect?device=${device.id}`)
    await open
    const { watch } = connectSteps(page)
    await expect(watch).toContainText('Waiting for')
    const shown = shownAt(watch, '>online<')
    const committedAt = await comeOnline()
    expect((await shown) - committedAt).toBeLessThan(liveBudgetMs)
    await page.clock.fastForward(11_000)
    await shownAt(watch, '>offline<')
    await expect(watch).toContainText('Last seen')
    const lists = countRequests(page, listOwnDevices.path)
    await page.clock.fastForward(11_000)
    // Whatever the page asked before this one has been counted.
    await page.evaluate(async () => void (await fetch('/healthz')))
    expect(lists()).toBe(0)
  },
)

test.describe('over a WebSocket', { tag: '@long' }, () => {
  test.use({ buildSettings: { VITE_LIVE: 'websocket' } })

  test(
    'the page’s policy allows the WebSocket, and a flip arrives over it within 1 s',
    { tag: '@long' },
    async ({ page, server }) => {
      const { device, comeOnline } = await flippingDevice(page.context().request)
      const open = page.waitForEvent(
        'websocket',
        (socket) => new URL(socket.url()).pathname === liveFeed.path,
      )
      await page.clock.install()
      const { status, onlineAt } = await openWholeObservatory(page, device.label)
      await open
      const answer = await page.request.get('/')
      expect(answer.headers()['content-security-policy']).toContain(
        `connect-src 'self' ${server.url.replace('http', 'ws')}`,
      )
      const lists = countRequests(page, listPublicDevices.path)
      await page.clock.fastForward(10_000)
      const shown = onlineAt()
      const committedAt = await comeOnline()
      for (const at of await shown) expect(at - committedAt).toBeLessThan(liveBudgetMs)
      expect(lists()).toBe(0)
      await expect(status.getByText('reconnecting')).toHaveCount(0)
    },
  )
})
