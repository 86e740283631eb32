import { createChannel } from '@astropelago/contract/alert-channels'
import type { Page } from '@playwright/test'
import { makeSubscription } from '../apps/server/src/features/alerts/channels/testing/browser-subscription.ts'
import { askApi } from './harness/ask-api.ts'
import { flippingDevice } from './harness/flipping-device.ts'
import { startPushService } from './harness/push-service.ts'
import { expect, test } from './harness/test.ts'

test.use({ serverSettings: { ONLINE_WINDOW_S: '2', ALLOW_PRIVATE_TARGETS: 'on' } })

test.beforeEach(({ user }) => expect(user.username).toBeDefined())

test(
  'a flip becomes a notification that leads to the device',
  { tag: '@long' },
  async ({ page, context, server: { url: origin } }) => {
    const service = await startPushService()
    const subscription = makeSubscription(service.url)
    const { request } = context
    await askApi(request, createChannel, {
      data: { name: 'This browser', settings: subscription.settings },
    })
    const { device, comeOnline } = await flippingDevice(request)
    await context.grantPermissions(['notifications'], { origin })
    await page.goto('/account/alerts')
    const push = await registerPushWorker(page, origin)

    // Exactly one heartbeat.
    await comeOnline()
    await push(subscription.decrypt(await service.message()))
    await expect
      .poll(() => shownNotifications(page))
      .toEqual([
        {
          title: `${device.label} is offline`,
          body: expect.stringMatching(/^offline since /),
          icon: `${origin}/icon-192.png`,
        },
      ])

    const url = await pressNotification(page)
    expect(url).toBe(`${origin}/devices/${device.id}`)
    await page.goto(url)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(device.label)
    await expect(page.getByRole('main')).toContainText('Went offline')
    await service.stop()
  },
)

/** Subscribes as the page would with a push service. Resolves with a function that delivers messages to the worker. */
async function registerPushWorker(page: Page, origin: string) {
  const cdp = await page.context().newCDPSession(page)
  const { promise: registrationId, resolve } = Promise.withResolvers<string>()
  cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [registration] }) => {
    if (registration !== undefined) resolve(registration.registrationId)
  })
  await cdp.send('ServiceWorker.enable')
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/push-worker.js')
    await navigator.serviceWorker.ready
  })
  return async (data: string) => {
    await cdp.send('ServiceWorker.deliverPushMessage', {
      origin,
      registrationId: await registrationId,
      data,
    })
  }
}

function shownNotifications(page: Page) {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    const notifications = await registration.getNotifications()
    return notifications.map(({ title, body, icon }) => ({ title, body, icon }))
  })
}

/**
 * Simulates a press on the notification, and resolves with the address of the window that the worker opens.
 * Only the system can really press it, and a worker can open a window only after that.
 */
async function pressNotification(page: Page): Promise<string> {
  const [worker] = page.context().serviceWorkers()
  if (worker === undefined) throw new Error('There is no service worker')
  return worker.evaluate<string>(`
    new Promise(async (resolve) => {
      const [notification] = await registration.getNotifications()
      clients.openWindow = async (url) => resolve(url)
      const press = new NotificationEvent('notificationclick', { notification })
      press.waitUntil = () => undefined
      dispatchEvent(press)
    })
  `)
}
