import { createChannel } from '@astropelago/contract/alert-channels'
import { publishIsland } from '@astropelago/contract/islands'
import type { APIRequestContext } from '@playwright/test'
import { makeSubscription } from '../apps/server/src/features/alerts/channels/testing/browser-subscription.ts'
import { askApi } from './harness/ask-api.ts'
import { flippingDevice } from './harness/flipping-device.ts'
import { makeIsland } from './harness/islands.ts'
import { openElsewhere } from './harness/open-elsewhere.ts'
import { startPushService } from './harness/push-service.ts'
import { signUp } from './harness/sign-up.ts'
import { expect, test } from './harness/test.ts'

test.use({ serverSettings: { ONLINE_WINDOW_S: '2', ALLOW_PRIVATE_TARGETS: 'on' } })

test.beforeEach(({ user }) => expect(user.username).toBeDefined())

/** Receives a user's alerts. */
async function receiveAlerts(request: APIRequestContext) {
  const service = await startPushService()
  const subscription = makeSubscription(service.url)
  const data = { name: 'Phone', settings: subscription.settings }
  await askApi(request, createChannel, { data })
  return {
    nextTitle: async () => String(JSON.parse(subscription.decrypt(await service.message())).title),
    stop: service.stop,
  }
}

test(
  'a follower gets an alert when an island closes, and its host gets none about a device in maintenance',
  { tag: '@long' },
  async ({ page, browser, server, problems }) => {
    const { request } = page.context()
    const carrier = await flippingDevice(request)
    const inMaintenance = await flippingDevice(request)
    const { id, name, slug } = await makeIsland(request, {
      address: `${server.url}/healthz`,
      carrier: carrier.device.id,
    })
    const access = { access: 'public', isListed: true, slug } as const
    await askApi(request, publishIsland, { params: { id }, data: access })
    const host = await receiveAlerts(request)
    await page.goto(`/devices/${inMaintenance.device.id}`)
    const alerts = page.getByRole('region', { name: 'Alerts' })
    await alerts.getByRole('button', { name: 'No alerts for 1 h' }).click()
    await expect(alerts.getByRole('list', { name: 'Maintenance' })).toBeVisible()

    const context = await openElsewhere({ browser, server, problems })
    await signUp(context, server)
    const follower = await receiveAlerts(context.request)
    const visitor = await context.newPage()
    await visitor.goto(`/islands/${slug}`)
    await visitor.getByRole('button', { name: 'Tell me when it opens or closes' }).click()
    await expect(visitor.getByText('Alerts about this island are on.')).toBeVisible()

    const island = visitor.getByRole('region', { name, exact: true })
    await expect(async () => {
      await Promise.all([carrier.comeOnline(), inMaintenance.comeOnline()])
      await expect(island).toContainText('Open', { timeout: 1000 })
    }).toPass()
    expect(await follower.nextTitle()).toBe(`${name} is closed`)
    expect(await host.nextTitle()).toBe(`${carrier.device.label} is offline, ${name} is closed`)
    await visitor.goto('/account/alerts')
    await expect(visitor.getByRole('main')).toContainText(`${name} is closed`)
    await Promise.all([follower.stop(), host.stop(), context.close()])
  },
)
