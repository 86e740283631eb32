import { liveFeed } from '@astropelago/contract/feed'
import { listPublicDevices } from '@astropelago/contract/devices'
import type { WebSocketRoute } from '@playwright/test'
import { flippingDevice } from './harness/flipping-device.ts'
import { observatoryParts } from './harness/observatory-parts.ts'
import { expect, test } from './harness/test.ts'

const pollMs = 5000
/** The delay between two connection attempts. */
const longestPauseMs = 30_000

test.use({ buildSettings: { VITE_LIVE: 'websocket' } })
test.beforeEach(({ user }) => expect(user.username).toBeDefined())

test(
  'a closed WebSocket shows as an error, and the list is polled until another one is open',
  { tag: '@long' },
  async ({ page }) => {
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
    await page.clock.install()
    const list = page.waitForResponse(listPublicDevices.path)
    await page.goto('/observatory')
    await list
    await flippingDevice(page.context().request)
    // The browser warns about a socket that is closed while it connects.
    await heard.promise
    isBlocked = true
    for (const socket of open) await socket.close()
    const { status, grid } = observatoryParts(page)
    const mark = status.getByText('reconnecting', { exact: true })
    await expect(mark).toHaveAttribute('title', /^WebSocket error: /)
    const { device } = await flippingDevice(page.context().request, { label: 'While closed' })
    await page.clock.fastForward(pollMs)
    await expect(grid).toContainText(device.label)
    isBlocked = false
    await page.clock.fastForward(longestPauseMs)
    await expect(mark).toHaveCount(0)
  },
)
