import { liveFeed } from '@astropelago/contract/feed'
import { listPublicDevices } from '@astropelago/contract/devices'
import type { WebSocketRoute } from '@playwright/test'
import { countRequests } from './harness/feed-requests.ts'
import { flippingDevice } from './harness/flipping-device.ts'
import { openWholeObservatory } from './harness/open-whole-observatory.ts'
import { observatoryParts } from './harness/observatory-parts.ts'
import { expect, test } from './harness/test.ts'

const liveBudgetMs = 1000

test.use({ buildSettings: { VITE_LIVE: 'websocket' } })
test.beforeEach(({ user }) => expect(user.username).toBeDefined())

const isFeed = (socket: { readonly url: () => string }) =>
  new URL(socket.url()).pathname === liveFeed.path

test('the page’s policy names the WebSocket’s origin, and a flip comes by it within 1 s', async ({
  page,
  server,
}) => {
  const { device, comeOnline } = await flippingDevice(page.context().request)
  const open = page.waitForEvent('websocket', isFeed)
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
  await expect(status.getByText('polling')).toHaveCount(0)
})

test('a socket that is closed is a WebSocket error: the list is polled until another is open', async ({
  page,
}) => {
  let isBlocked = false
  const open: WebSocketRoute[] = []
  const heard = Promise.withResolvers<void>()
  await page.routeWebSocket(new RegExp(liveFeed.path), async (socket) => {
    if (isBlocked) return socket.close()
    const server = socket.connectToServer()
    server.onMessage((message) => {
      socket.send(message)
      heard.resolve()
    })
    open.push(socket)
  })
  const list = page.waitForResponse(listPublicDevices.path)
  await page.goto('/observatory')
  await list
  await flippingDevice(page.context().request)
  // A socket that is closed while it still connects is a warning of the browser's.
  await heard.promise
  isBlocked = true
  for (const socket of open) await socket.close()
  const { status, grid } = observatoryParts(page)
  const mark = status.getByText('polling', { exact: true })
  await expect(mark).toHaveAttribute('title', /^WebSocket error: /)
  const { device } = await flippingDevice(page.context().request, { label: 'While closed' })
  await expect(grid).toContainText(device.label)
  isBlocked = false
  await expect(mark).toHaveCount(0, { timeout: 30_000 })
})
