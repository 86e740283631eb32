import { listPublicDevices } from '@astropelago/contract/devices'
import { buildWeb } from './harness/build-web.ts'
import { countRequests, isFeed } from './harness/feed-requests.ts'
import { flippingDevice } from './harness/flipping-device.ts'
import { observatoryParts } from './harness/observatory-parts.ts'
import { shownAt } from './harness/shown-at.ts'
import { expect, test } from './harness/test.ts'

test.use({ buildSettings: { VITE_LIVE: 'off' } })

test('a build without the live feed polls alone, and counts nothing as failed', async ({
  page,
  user,
}) => {
  expect(user.username).toBeDefined()
  const { device, comeOnline } = await flippingDevice(page.context().request)
  const feeds: string[] = []
  page.on('request', (request) => isFeed(request) && feeds.push(request.url()))
  page.on('websocket', (socket) => feeds.push(socket.url()))
  const lists = countRequests(page, listPublicDevices.path)
  await page.goto(`/observatory?q=${encodeURIComponent(device.label)}`)
  const { grid, status } = observatoryParts(page)
  await expect(grid).toContainText('unknown')
  const shown = shownAt(grid, '>online<')
  const committedAt = await comeOnline()
  expect((await shown) - committedAt).toBeLessThan(6000)
  expect(lists()).toBeGreaterThan(1)
  await page.goto('/account')
  await expect(page.getByRole('heading', { name: 'Your Public Devices' })).toBeVisible()
  await expect(status.getByText('polling')).toHaveCount(0)
  expect(feeds).toEqual([])
})

test('VITE_LIVE with an unknown value ends the build with one line', async () => {
  const failure = await buildWeb({ VITE_LIVE: 'pigeon' }).catch(String)
  expect(failure).toContain('VITE_LIVE must be sse, websocket or off')
  expect(failure).not.toMatch(/^\s+at /m)
})
