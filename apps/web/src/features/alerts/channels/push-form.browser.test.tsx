import { createChannel, deleteChannel } from '@astropelago/contract/alert-channels'
import { errors } from '@astropelago/contract/errors'
import { expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { answerApi, refused } from '../../../test/answer-api.ts'
import { openPart } from '../../../test/open-screen.tsx'
import { sampleUser } from '../../../test/samples.ts'
import { ChannelsCard } from './channels-card.tsx'
import { endpointHash } from './browser-push.ts'
import { answerChannels, sampleChannel, samplePushKey } from '../testing/sample-channel.ts'

const notify = page.getByRole('button', { name: 'Notify this browser' })
const endpoint = 'https://push.example.org/send/abc'
const keys = { p256dh: `B${'a'.repeat(86)}`, auth: 'b'.repeat(22) }

/** A browser with this permission. Its push service fails with an error of this name, if any. */
function stubBrowser(permission: NotificationPermission, refusal: { name?: string } = {}) {
  let isSubscribed = false
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no browser makes one without a push service
  const subscription = {
    endpoint,
    options: { applicationServerKey: bytesOf(samplePushKey), userVisibleOnly: true },
    toJSON: () => ({ endpoint, keys }),
    unsubscribe: async () => {
      isSubscribed = false
      return true
    },
  } as unknown as PushSubscription
  const asked: unknown[] = []
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const registration = {
    pushManager: {
      getSubscription: async () => (isSubscribed ? subscription : null),
      subscribe: async (options: unknown) => {
        if (refusal.name !== undefined) throw new DOMException('', refusal.name)
        asked.push(options)
        isSubscribed = true
        return subscription
      },
    },
  } as unknown as ServiceWorkerRegistration
  const spies = [
    vi.spyOn(navigator.serviceWorker, 'register').mockResolvedValue(registration),
    vi.spyOn(navigator.serviceWorker, 'getRegistration').mockResolvedValue(registration),
    vi.spyOn(navigator.serviceWorker, 'ready', 'get').mockResolvedValue(registration),
  ]
  const permitted = vi.spyOn(Notification, 'permission', 'get').mockReturnValue(permission)
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore()
    permitted.mockRestore()
  })
  return { asked, permitted, isSubscribed: () => isSubscribed }
}

function bytesOf(key: string): ArrayBuffer {
  const text = atob(key.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, (letter) => letter.codePointAt(0) ?? 0).buffer
}

async function chooseBrowser() {
  answerChannels([])
  await openPart(<ChannelsCard />, { user: sampleUser })
  await page.getByRole('button', { name: 'Add a channel' }).click()
  await page.getByRole('radio', { name: 'This browser' }).click()
}

test('a browser subscribes with the server’s key and unsubscribes with its channel', async () => {
  const browser = stubBrowser('default')
  await chooseBrowser()
  const hash = await endpointHash(endpoint)
  const asked = answerApi(createChannel, ({ body }) => ({
    status: 201,
    body: {
      ...sampleChannel({ kind: 'push', name: body.name, endpointHash: hash }),
      secret: null,
    },
  }))
  await notify.click()
  const item = page.getByRole('list', { name: 'Channels' }).getByRole('listitem')
  await expect.element(item).toMatchTextContent(/Chrome.* on Linux/)
  expect(browser.asked).toEqual([{ userVisibleOnly: true, applicationServerKey: samplePushKey }])
  expect(asked).toMatchObject([{ body: { settings: { kind: 'push', endpoint, keys } } }])

  // Choosing it again says that nothing is left to do.
  await page.getByRole('button', { name: 'Add a channel' }).click()
  await page.getByRole('radio', { name: 'This browser' }).click()
  await expect.element(page.getByText('This browser already gets your alerts.')).toBeVisible()
  expect(notify.length).toBe(0)

  answerApi(deleteChannel, { status: 204 })
  await item.getByRole('button', { name: /^Delete / }).click()
  await item.getByRole('button', { name: 'Delete channel' }).click()
  await expect.poll(browser.isSubscribed).toBe(false)
})

test('a refused browser unsubscribes', async () => {
  const browser = stubBrowser('granted')
  await chooseBrowser()
  answerApi(createChannel, refused('channel_limit'))
  await notify.click()
  await expect.element(page.getByRole('alert')).toHaveTextContent(errors.channel_limit.sentence)
  expect(browser.isSubscribed()).toBe(false)
})

test('a denied permission and a missing push service are explained', async () => {
  const refusal = { name: 'NotAllowedError' }
  stubBrowser('default', refusal)
  await chooseBrowser()
  await notify.click()
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('You did not allow this browser to show notifications.')
  refusal.name = 'AbortError'
  await notify.click()
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent(/could not reach its notification service/)
})

test('blocked notifications are explained and can be checked again', async () => {
  const { permitted } = stubBrowser('denied')
  await chooseBrowser()
  await expect.element(page.getByText(/blocks notifications from this site/)).toBeVisible()
  expect(notify.length).toBe(0)
  permitted.mockReturnValue('granted')
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect.element(notify).toBeVisible()
})

test('an insecure page and a browser without push are explained', async () => {
  stubBrowser('default')
  const secure = vi.spyOn(window, 'isSecureContext', 'get').mockReturnValue(false)
  await chooseBrowser()
  await expect.element(page.getByText(/only work over https/)).toBeVisible()
  secure.mockRestore()
  const own = Object.getOwnPropertyDescriptor(window, 'PushManager')
  Reflect.deleteProperty(window, 'PushManager')
  onTestFinished(() => {
    if (own) Object.defineProperty(window, 'PushManager', own)
  })
  await page.getByRole('radio', { name: 'ntfy' }).click()
  await page.getByRole('radio', { name: 'This browser' }).click()
  await expect.element(page.getByText(/can’t get notifications/)).toBeVisible()
})
