/** Checks what one user receives on a channel of each kind. */
import assert from 'node:assert/strict'
import {
  confirmChannel,
  createChannel,
  type ChannelKind,
} from '@astropelago/contract/alert-channels'
import { Webhook } from 'standardwebhooks'
import * as v from 'valibot'
import { makeSubscription } from '../../apps/server/src/features/alerts/channels/testing/browser-subscription.ts'
import type { MailServer } from '../../apps/server/src/test/mail-server.ts'
import { waitUntil } from '../proxy-checks.ts'
import type { AlertStand, Device, Owner } from './alert-stand.ts'
import type { ReceivedCall } from './receiver.ts'

const patienceMs = 30_000
const address = 'ada@example.org'
const Body = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()))

export interface EveryChannel {
  readonly device: Device
  /** Call it when the device has been back for a minute. Checks that unsubscribing stopped the mails. */
  readonly checkReturn: () => Promise<void>
}

/**
 * A device goes offline, its owner gets an alert on every channel, and then unsubscribes from the mails.
 */
export async function checkEveryChannel(
  stand: AlertStand,
  mails: MailServer,
): Promise<EveryChannel> {
  const ada = await stand.makeOwner('ada', 1)
  const isBack = async () => new Set(stand.toldTo(ada).map(({ type }) => type)).size === 2
  const [device] = ada.devices
  assert.ok(device !== undefined)
  const { url } = stand.receiver
  const push = makeSubscription(`${url}/push/ada`)
  /** Where each service expects the title, according to its documentation. */
  const services: Partial<
    Record<
      ChannelKind,
      { readonly settings: object; readonly path: RegExp; readonly title: string }
    >
  > = {
    ntfy: { settings: { topic: `${url}/ada-alerts` }, path: /^\/$/, title: 'title' },
    gotify: {
      settings: { server: `${url}/gotify`, token: 'A1' },
      path: /^\/gotify\/message$/,
      title: 'title',
    },
    discord: {
      settings: { url: `${url}/api/webhooks/1/ada` },
      path: /^\/api\/webhooks\/1\/ada\?wait=true$/,
      title: 'content',
    },
    slack: { settings: { url: `${url}/slack/ada` }, path: /^\/slack\/ada$/, title: 'text' },
    telegram: {
      settings: { server: `${url}/telegram`, token: '1:ada', chat: '-1' },
      path: /^\/telegram\/bot1:ada\/sendMessage$/,
      title: 'text',
    },
    matrix: {
      settings: { server: `${url}/matrix`, token: 'm1', room: '!ada:sky.example' },
      path: /^\/matrix\/_matrix\/client\/v3\/rooms\/!ada%3Asky\.example\/send\/m\.room\.message\//,
      title: 'body',
    },
  }
  for (const [kind, { settings }] of Object.entries(services)) {
    await addChannel(ada, { kind, ...settings })
  }
  await addChannel(ada, push.settings)
  await addChannel(ada, { kind: 'email', address })
  await confirm(stand, mails)

  assert.equal(await stand.beat(ada.devices), 0)
  const calls = () => stand.receiver.calls
  const isAlerted = async () =>
    mails.mails.length === 2 && calls().length === Object.keys(services).length + 2
  await waitUntil(isAlerted, 'each channel gets an alert', patienceMs)

  const [hook] = stand.receiver.of(ada.path)
  const { title, type } = readWebhook(hook, ada.secret)
  assert.equal(type, 'alert.offline')
  const [pushed] = stand.receiver.of('/push/ada')
  assert.equal(v.parse(Body, push.decrypt(pushed?.body ?? Buffer.alloc(0)))['title'], title)
  for (const [kind, { path, title: field }] of Object.entries(services)) {
    const call = calls().find((one) => path.test(one.path))
    assert.ok(call !== undefined, kind)
    assert.ok(String(v.parse(Body, call.body.toString())[field]).includes(title), kind)
  }
  await unsubscribe(mails, title)
  console.log(`  each of ${calls().length + 1} channels received “${title}”`)

  return {
    device,
    checkReturn: async () => {
      await waitUntil(isBack, 'the recovery arrives', 90_000)
      assert.equal(mails.mails.length, 2)
    },
  }
}

async function addChannel({ client }: Owner, settings: object): Promise<void> {
  const made = await client.call('POST', createChannel.path, { name: 'One', settings })
  assert.equal(made.status, 201, await made.text())
}

async function confirm({ url }: AlertStand, { mails }: MailServer): Promise<void> {
  await waitUntil(async () => mails.length === 1, 'the code is mailed', patienceMs)
  const code = /#([\dA-Z-]+)/.exec(mails[0]?.text ?? '')?.[1]
  const answer = await fetch(url + confirmChannel.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  })
  assert.equal(answer.status, 200)
}

function readWebhook(call: ReceivedCall | undefined, secret: string) {
  assert.ok(call !== undefined)
  const headers = Object.fromEntries(
    Object.entries(call.headers).map(([name, value]) => [name, String(value)]),
  )
  const body: unknown = new Webhook(secret).verify(call.body.toString(), headers)
  const { type, data } = v.parse(
    v.object({ type: v.string(), data: v.object({ title: v.string() }) }),
    body,
  )
  return { type, title: data.title }
}

/** Unsubscribes like a mail program's button does (RFC 8058). */
async function unsubscribe({ mails }: MailServer, title: string): Promise<void> {
  const mail = mails[1]
  assert.ok(mail !== undefined)
  assert.deepEqual(mail.to, [address])
  const headers = mail.headers.replaceAll(/\r?\n\s+/g, ' ')
  assert.match(headers, /^Content-Type: multipart\/alternative;/m)
  assert.match(headers, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m)
  for (const text of [title, 'text/plain', 'text/html', '<!doctype html>']) {
    assert.ok(mail.text.includes(text), text)
  }
  const wayOut = /^List-Unsubscribe: <([^>]+)>/m.exec(headers)?.[1]
  assert.ok(wayOut !== undefined)
  const answer = await fetch(wayOut, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  })
  assert.equal(answer.status, 204)
}
