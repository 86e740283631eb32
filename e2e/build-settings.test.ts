import { listPublicDevices } from '@astropelago/contract/devices'
import { buildWeb } from './harness/build-web.ts'
import { countRequests, isFeed } from './harness/feed-requests.ts'
import { flippingDevice } from './harness/flipping-device.ts'
import { goByMenu } from './harness/go-by-menu.ts'
import { locationParts } from './harness/location-parts.ts'
import { mapParts } from './harness/map-parts.ts'
import { observatoryParts } from './harness/observatory-parts.ts'
import { expectAccessible } from './harness/page-health.ts'
import { shownAt } from './harness/shown-at.ts'
import { test as base, expect } from './harness/test.ts'
import { startUpdateReceiver, type UpdateReceiver } from './harness/update-receiver.ts'

base.describe('a build with a maps key', { tag: '@long' }, () => {
  base.use({
    buildSettings: {
      VITE_GOOGLE_MAPS_API_KEY: 'a-key',
      VITE_DEVICE_UPDATE_URL: 'https://hook.example/devices',
    },
  })

  base('S25 runs under the service’s policy without a violation', async ({ page, user: _user }) => {
    const answer = await page.goto('/')
    const policy = answer?.headers()['content-security-policy']
    expect(policy).toContain("'strict-dynamic'")
    expect(policy).toContain(' https://hook.example;')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    // The code of these pages loads later, in chunks without a nonce.
    await page.goto('/account')
    await goByMenu(page, 'Discover')
    await expect(page.getByRole('heading', { level: 1, name: 'Discover' })).toBeVisible()
  })
})

base('a setting that can’t be used ends the build with one line', { tag: '@long' }, async () => {
  const failures: readonly [settings: Record<string, string>, line: string][] = [
    [
      { VITE_DEVICE_UPDATE_URL: 'sky.example' },
      'VITE_DEVICE_UPDATE_URL must be a whole http or https address',
    ],
    [{ VITE_LIVE: 'pigeon' }, 'VITE_LIVE must be sse, websocket or off'],
    [{ VITE_MAP: 'globe' }, 'VITE_MAP must be service or open'],
  ]
  for (const [settings, line] of failures) {
    const failure = await buildWeb(settings).catch(String)
    expect(failure).toContain(line)
    expect(failure).not.toMatch(/^\s+at /m)
  }
})

base.describe(
  'a build that polls, shows its own map, and tells a service of saved locations',
  { tag: '@long' },
  () => {
    const test = base.extend<object, { receiver: UpdateReceiver }>({
      receiver: [
        // It needs no other fixture, but Playwright requires a destructuring pattern here.
        async ({ browser: _browser }, provide) => {
          const receiver = await startUpdateReceiver()
          await provide(receiver)
          await receiver.stop()
        },
        { scope: 'worker' },
      ],

      buildSettings: async ({ receiver }, provide) => {
        await provide({ VITE_LIVE: 'off', VITE_MAP: 'open', VITE_DEVICE_UPDATE_URL: receiver.url })
      },
    })
    // In one worker, because each worker would need its own receiver and build.
    test.describe.configure({ mode: 'default' })

    test('shows the built-in map at once, without a line about Google Maps, and polls without a failed request', async ({
      page,
      user: _user,
    }) => {
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
      expect(feeds).toEqual([])
      await expect(status.getByText('reconnecting')).toHaveCount(0)
      const { panel, surface } = mapParts(page)
      await panel.scrollIntoViewIfNeeded()
      await expect(surface).toBeVisible()
      await expect(panel).not.toContainText('is not set')
    })

    test('saving a location posts id, label, place and status without a cookie, and retries after a failure', async ({
      page,
      user: _user,
      receiver,
      problems,
    }) => {
      problems.expectFailure(503)
      problems.expectFailure('dropped')
      const panel = locationParts(page)
      await panel.open()
      const { host } = new URL(receiver.url)
      await expect(panel.form).toContainText(`sent to ${host} with each save`)
      receiver.answerWith(503)
      await panel.enter('Harbour Pi', '54.3', '10.1')
      await panel.save.click()
      await expect(panel.message).toHaveText('Saved')
      await expect(panel.form).toContainText('did not receive it: it answered 503.')
      await expect(panel.toggle).toContainText('Harbour Pi')
      await expectAccessible(page)
      receiver.answerWith('nothing')
      await panel.form.getByRole('button', { name: 'Retry' }).click()
      await expect(panel.form).toContainText('did not receive it: the connection failed.')
      receiver.answerWith(204)
      await panel.form.getByRole('button', { name: 'Retry' }).click()
      await expect(panel.form).toContainText(`Sent to ${host}.`)
      const { 'id.v1': id } = await panel.stored()
      const told = { id, label: 'Harbour Pi', lat: 54.3, lon: 10.1, status: 'online' }
      // The browser may retry a broken connection by itself.
      expect(new Set(receiver.received.map(({ body }) => JSON.stringify(body)))).toEqual(
        new Set([JSON.stringify(told)]),
      )
      expect(receiver.received[0]?.headers).toMatchObject({ 'content-type': 'application/json' })
      expect(receiver.received[0]?.headers).not.toHaveProperty('cookie')

      const before = receiver.received.length
      await panel.lat.fill('55')
      await panel.save.click()
      await expect.poll(() => receiver.received.at(-1)?.body).toEqual({ ...told, lat: 55 })
      await expect(panel.form).toContainText(`Sent to ${host}.`)
      await panel.clear.click()
      await expect(panel.form).not.toContainText('Sent to')
      expect(receiver.received).toHaveLength(before + 1)
    })
  },
)
