import { alertChannelsPerUser, channelTestsPerMinute } from '@astropelago/contract/limits'
import { afterAll, describe, expect, test } from 'vitest'
import { startReceiver } from '../../../outgoing/testing/receiver.ts'
import { createTestChannel } from '../../../test/api-channels.ts'
import {
  createTestApp,
  shareTestApp,
  type TestAppOptions,
  type TestBrowser,
} from '../../../test/create-test-app.ts'
import { startMailServer } from '../../../test/mail-server.ts'
import { makeWebDir } from '../../../test/make-web-dir.ts'
import { makeSubscription } from './testing/browser-subscription.ts'

const url = '/api/me/alerts/channels'
const token = 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2'
const hourMs = 3_600_000

interface Listed {
  readonly channels: readonly Record<string, unknown>[]
  readonly pushKey: string
}

/** Private targets are allowed, because the receivers run on this machine. */
const inside: TestAppOptions = { config: { allowsPrivateTargets: true } }
const outside: TestAppOptions = {}
const mailServer = await startMailServer()
afterAll(mailServer.stop)
const withMail: TestAppOptions = { config: { mail: mailServer.config } }

async function setUp(options = inside) {
  const testApp = await shareTestApp(options)
  const owner = await testApp.signUp()
  const list = async () => (await owner.inject({ url })).json<Listed>()
  const post = (path: string, payload?: object, browser: TestBrowser = owner) =>
    browser.inject({ method: 'POST', url: path, ...(payload && { payload }) })
  const create = (settings: object, name = 'Work') => post(url, { name, settings })
  const only = async () => (await list()).channels[0]
  return { ...testApp, owner, list, post, create, only }
}

let mailboxes = 0

/** Adds a mailbox and an e-mail channel that waits for its code. */
async function setUpMail() {
  mailboxes += 1
  const name = `Ada-${mailboxes}`
  const address = `${name}@example.org`
  const before = mailServer.mails.length
  const inbox = {
    mails: () => mailServer.mails.slice(before),
    received: async (count: number) => (await mailServer.received(before + count)).slice(before),
  }
  const app = await setUp(withMail)
  const channel = await createTestChannel(app.owner, { kind: 'email', address })
  const codeOf = async (mails: number) => {
    const received = await inbox.received(mails)
    const text = received.at(-1)?.text.replaceAll('=\r\n', '') ?? ''
    return /confirm-channel#([\w-]+)/.exec(text)?.[1] ?? ''
  }
  const confirm = (code: string) =>
    app.inject({ method: 'POST', url: '/api/alerts/confirm', payload: { code } })
  return { ...app, name, address, inbox, channel, codeOf, confirm }
}

describe('[CH1] a user’s channel', () => {
  const kinds = [
    { kind: 'webhook', url: 'https://hook.example/secret-part?key=secret-part' },
    { kind: 'ntfy', topic: 'https://ntfy.example/attic-secret-part', token: 'secret-part' },
    { kind: 'gotify', server: 'https://gotify.example/', token: 'secret-part' },
    { kind: 'discord', url: 'https://discord.example/api/webhooks/12/secret-part' },
    { kind: 'slack', url: 'https://hooks.slack.example/services/T0/secret-part' },
    { kind: 'telegram', token: '12:secret-part', chat: '@my_alerts' },
    {
      kind: 'matrix',
      server: 'https://matrix.example',
      token: 'secret-part',
      room: '!a:b.example',
    },
    makeSubscription('https://push.example/secret-part').settings,
  ]

  test('CH1 [CH3] never shows its secrets again', async () => {
    const { owner, list, storage, logged } = await setUp()
    for (const settings of kinds) await createTestChannel(owner, settings)
    const { channels } = await list()
    expect(channels.map(({ kind, target, state }) => [kind, target, state])).toEqual([
      ['webhook', 'hook.example', 'ready'],
      ['ntfy', 'ntfy.example/att…', 'ready'],
      ['gotify', 'gotify.example', 'ready'],
      ['discord', 'discord.example', 'ready'],
      ['slack', 'hooks.slack.example', 'ready'],
      ['telegram', '@my_alerts', 'ready'],
      ['matrix', '!a:b.example', 'ready'],
      ['push', 'push.example', 'ready'],
    ])
    const exported = await owner.inject({ url: '/api/me/export' })
    const audited = await storage.db.selectFrom('audit_log').selectAll().execute()
    for (const text of [
      JSON.stringify(channels),
      exported.body,
      JSON.stringify(audited),
      logged(),
    ]) {
      expect(text).not.toMatch(/secret-part|whsec_/)
    }
    expect(JSON.parse(exported.body)).toMatchObject({ alertChannels: channels })
    const own = audited.filter(({ actor }) => actor === `user:${owner.username}`)
    expect(own.filter(({ action }) => action === 'channel.created')).toHaveLength(kinds.length)
  })

  test('CH5 S52 is refused at the user’s limit, until one is deleted', async () => {
    const { owner, create } = await setUp()
    const made = []
    for (let at = 0; at < alertChannelsPerUser; at += 1) made.push(await createTestChannel(owner))
    const settings = { kind: 'webhook', url: 'https://hook.example/' }
    expect((await create(settings)).json()).toMatchObject({ code: 'channel_limit' })
    await owner.inject({ method: 'DELETE', url: `${url}/${made[0]?.id}` })
    expect((await create(settings)).statusCode).toBe(201)
  })

  test('S9 is refused for demo users', async () => {
    const { inject } = await setUp()
    const demo = await inject({ method: 'POST', url: '/api/auth/demo' })
    const cookies = Object.fromEntries(demo.cookies.map(({ name, value }) => [name, value]))
    const response = await inject({ method: 'POST', url, payload: {}, cookies })
    expect(response.json()).toMatchObject({ code: 'demo_account' })
  })

  test.each([
    ['an unknown kind', { kind: 'pager', url: 'https://a.example' }],
    ['no address', { kind: 'webhook', url: 'nowhere' }],
    ['another scheme', { kind: 'webhook', url: 'file:///etc/passwd' }],
    ['a user in an address', { kind: 'webhook', url: 'https://a:b@c.example' }],
    ['a fragment', { kind: 'webhook', url: 'https://c.example/#a' }],
    ['an address without end', { kind: 'webhook', url: `https://c.example/${'a'.repeat(2048)}` }],
    ['a topic without a name', { kind: 'ntfy', topic: 'https://ntfy.sh/' }],
    ['a topic of two names', { kind: 'ntfy', topic: 'https://ntfy.sh/a/b' }],
    ['a topic with odd signs', { kind: 'ntfy', topic: 'https://ntfy.sh/a%2Fb' }],
    ['a topic that is too long', { kind: 'ntfy', topic: `https://ntfy.sh/${'a'.repeat(65)}` }],
    [
      'a token that ends a header',
      { kind: 'ntfy', topic: 'https://ntfy.sh/a', token: 'a\r\nb: c' },
    ],
    ['a page of Discord', { kind: 'discord', url: 'https://discord.com/channels/1/2' }],
    ['a server with a query', { kind: 'gotify', server: 'https://a.example/?b', token }],
    ['no bot’s token', { kind: 'telegram', token: 'abc', chat: '1' }],
    ['no chat', { kind: 'telegram', token: '12:ab', chat: 'a b' }],
    ['a room’s name', { kind: 'matrix', server: 'https://a.example', token, room: '#a:b' }],
    ['no address of e-mail', { kind: 'email', address: 'ada' }],
    [
      'keys of a push subscription on no curve',
      {
        kind: 'push',
        endpoint: 'https://a.example',
        keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) },
      },
    ],
    ['a field that is not known', { kind: 'webhook', url: 'https://a.example', userKey: 1 }],
  ])('S24 S31 with %s is refused', async (_, settings) => {
    const { create, list } = await setUp()
    expect((await create(settings)).json()).toMatchObject({ code: 'invalid_input' })
    expect((await list()).channels).toEqual([])
  })

  test.each([
    { kind: 'webhook', url: 'http://127.0.0.1/' },
    { kind: 'webhook', url: 'http://0x7f.1/' },
    { kind: 'webhook', url: 'http://localhost:3000/api/me' },
    { kind: 'webhook', url: 'http://[::ffff:10.0.0.1]/' },
    { kind: 'slack', url: 'http://169.254.169.254/latest/meta-data' },
    { kind: 'discord', url: 'http://10.0.0.1/api/webhooks/1/a' },
    { kind: 'ntfy', topic: 'http://192.168.0.2/attic' },
    { kind: 'gotify', server: 'http://[fd00::1]:8080', token },
    { kind: 'telegram', server: 'http://2130706433', token: '1:a', chat: '1' },
    { kind: 'matrix', server: 'http://[::1]', token, room: '!a' },
    makeSubscription('http://[64:ff9b::7f00:1]/').settings,
  ])('S53 with an address inside the network is refused: %j', async (settings) => {
    const { create, list } = await setUp(outside)
    expect((await create(settings)).json()).toMatchObject({ code: 'inside_address' })
    expect((await list()).channels).toEqual([])
  })

  test('is renamed, and gets another target by settings of the same kind', async () => {
    const { owner, only } = await setUp()
    const { id } = await createTestChannel(owner)
    const patch = async (payload: object) =>
      (await owner.inject({ method: 'PATCH', url: `${url}/${id}`, payload })).json<unknown>()
    expect(await patch({ name: 'Home' })).toMatchObject({ name: 'Home', target: 'hook.invalid' })
    const settings = { kind: 'webhook', url: 'https://other.example/' }
    expect(await patch({ settings })).toMatchObject({ name: 'Home', target: 'other.example' })
    const others = { kind: 'slack', url: 'https://other.example/a' }
    expect(await patch({ settings: others })).toMatchObject({ code: 'invalid_input' })
    expect(await patch({})).toMatchObject({ code: 'invalid_input' })
    expect(await only()).toMatchObject({ kind: 'webhook', target: 'other.example' })
  })
})

describe('[CH2] testing a channel', () => {
  test('shows what was sent and answered, and stores the answer', async () => {
    const { owner, post, only, clock } = await setUp()
    const receiver = await startReceiver()
    const { id } = await createTestChannel(owner, { kind: 'gotify', server: receiver.url, token })
    const tried = await post(`${url}/${id}/test`)
    expect(tried.json()).toMatchObject({ isOk: true, answer: '200\nok' })
    expect(tried.json<{ sent: string }>().sent).toContain('This is a test of “Work”')
    expect(tried.body).not.toContain(token)
    expect(receiver.calls).toHaveLength(1)
    const lastAnswer = {
      at: new Date(clock.now()).toISOString(),
      isOk: true,
      note: 'It answered 200.',
    }
    expect(await only()).toMatchObject({ state: 'ready', lastAnswer, failingSince: null })
  })

  test('CH5 S52 is limited for each user', async () => {
    const { owner, post } = await setUp()
    const receiver = await startReceiver()
    const { id } = await createTestChannel(owner, { kind: 'webhook', url: receiver.url })
    for (let at = 0; at < channelTestsPerMinute; at += 1) {
      expect((await post(`${url}/${id}/test`)).statusCode).toBe(200)
    }
    const refused = await post(`${url}/${id}/test`)
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60'])
    expect(receiver.calls).toHaveLength(channelTestsPerMinute)
  })

  test('[CH9] a channel is shown as failing after an hour without success, until a message arrives', async () => {
    const { owner, post, only, clock } = await setUp()
    const receiver = await startReceiver()
    receiver.answerWith((_, response) => response.writeHead(503).end())
    const { id } = await createTestChannel(owner, { kind: 'webhook', url: receiver.url })
    await post(`${url}/${id}/test`)
    const failingSince = new Date(clock.now()).toISOString()
    expect(await only()).toMatchObject({ state: 'ready', failingSince })
    clock.move(hourMs)
    expect(await only()).toMatchObject({ state: 'failing', failingSince })
    receiver.answerWith((_, response) => response.end())
    await post(`${url}/${id}/test`)
    expect(await only()).toMatchObject({ state: 'ready', failingSince: null })
  })

  test('[CH9] a channel ends when its target is gone for good, until it gets another target', async () => {
    const { owner, post, only } = await setUp()
    const receiver = await startReceiver()
    receiver.answerWith((_, response) => response.writeHead(410).end())
    const { settings } = makeSubscription(`${receiver.url}/abc`)
    const { id, endpointHash } = await createTestChannel(owner, settings)
    expect(endpointHash).toMatch(/^[\w-]{43}$/)
    await post(`${url}/${id}/test`)
    expect(await only()).toMatchObject({ state: 'ended' })
    expect((await post(`${url}/${id}/test`)).json()).toMatchObject({ code: 'channel_unready' })
    await owner.inject({ method: 'PATCH', url: `${url}/${id}`, payload: { settings } })
    expect(await only()).toMatchObject({ state: 'ready', lastAnswer: null })
  })
})

describe('[CH5] the secret of a webhook', () => {
  test('is shown only when it is made and when it is renewed', async () => {
    const { owner, post, only } = await setUp()
    const receiver = await startReceiver()
    const { id, secret } = await createTestChannel(owner, { kind: 'webhook', url: receiver.url })
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
    const renewed = (await post(`${url}/${id}/secret`)).json<{ secret: string }>()
    expect(renewed.secret).toMatch(/^whsec_[\w+/]{43}=$/)
    expect(renewed.secret).not.toBe(secret)
    expect(JSON.stringify(await only())).not.toContain('whsec_')
  })

  test('exists only for webhooks', async () => {
    const { owner, post } = await setUp()
    const channel = await createTestChannel(owner, {
      kind: 'gotify',
      server: 'https://a.example',
      token,
    })
    expect(channel.secret).toBeNull()
    expect((await post(`${url}/${channel.id}/secret`)).statusCode).toBe(404)
  })
})

describe('[CH4] an e-mail address', () => {
  test('CH2 gets a code, and nothing else before it is confirmed', async () => {
    const { owner, address, post, only, inbox, channel, codeOf, confirm } = await setUpMail()
    expect(channel).toMatchObject({ state: 'unconfirmed', target: address, secret: null })
    expect((await post(`${url}/${channel.id}/test`)).json()).toMatchObject({
      code: 'channel_unready',
    })
    const code = await codeOf(1)
    expect(inbox.mails()[0]?.text).toContain(owner.username)
    const confirmed = await confirm(code)
    expect([confirmed.statusCode, confirmed.json()]).toEqual([200, { address }])
    expect(await only()).toMatchObject({ state: 'ready' })
    expect((await confirm(code)).json()).toMatchObject({ code: 'invalid_code' })
    expect((await post(`${url}/${channel.id}/test`)).json()).toMatchObject({ isOk: true })
    expect(inbox.mails()).toHaveLength(2)
  })

  test('can get another code, which ends the one before', async () => {
    const { post, channel, codeOf, confirm, clock } = await setUpMail()
    const first = await codeOf(1)
    expect((await post(`${url}/${channel.id}/code`)).statusCode).toBe(204)
    const second = await codeOf(2)
    expect((await confirm(first)).statusCode).toBe(400)
    clock.move(25 * hourMs)
    expect((await confirm(second)).statusCode).toBe(400)
    await post(`${url}/${channel.id}/code`)
    expect((await confirm(await codeOf(3))).statusCode).toBe(200)
  })

  test.each([
    [
      'a form',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'List-Unsubscribe=One-Click',
    ],
    ['a form of parts', { 'content-type': 'multipart/form-data; boundary=x' }, '--x--'],
    ['nothing', {}, undefined],
  ])(
    'AL10 CH2 CH1 is unsubscribed by one call of a mail program, with %s',
    async (_, headers, payload) => {
      const { owner, post, only, inbox, channel, codeOf, confirm, inject, logged, storage } =
        await setUpMail()
      await confirm(await codeOf(1))
      await post(`${url}/${channel.id}/test`)
      const mail = (await inbox.received(2))[1]
      const unfolded = mail?.headers.replaceAll(/\r?\n\s+/g, ' ') ?? ''
      const wayOut = new URL(/^List-Unsubscribe: <(.+)>/m.exec(unfolded)?.[1] ?? '')
      const path = wayOut.pathname + wayOut.search
      const end = () => inject({ method: 'POST', url: path, headers, ...(payload && { payload }) })
      expect((await end()).statusCode).toBe(204)
      expect(await only()).toMatchObject({ state: 'ended' })
      expect((await end()).statusCode).toBe(204)
      expect((await post(`${url}/${channel.id}/test`)).json()).toMatchObject({
        code: 'channel_unready',
      })
      expect(logged()).not.toContain(wayOut.searchParams.get('code') ?? '')
      // The reader of the address can turn alerts on again.
      await post(`${url}/${channel.id}/code`)
      await confirm(await codeOf(3))
      expect(await only()).toMatchObject({ state: 'ready' })
      const audited = await storage.db.selectFrom('audit_log').selectAll().execute()
      const own = audited.filter(({ actor }) => actor === `user:${owner.username}`)
      expect(own.map(({ action }) => action)).toEqual(
        expect.arrayContaining(['channel.confirmed', 'channel.unsubscribed']),
      )
      expect(JSON.stringify(audited)).not.toContain(channel.name)
    },
  )

  test('can be unsubscribed on a page, for mail programs without such a call', async () => {
    const { app } = await createTestApp({ webDir: await makeWebDir() })
    const page = await app.inject({ url: '/unsubscribe?code=0123456789ABCDEFGHJKMNPQR' })
    expect([page.statusCode, page.headers['content-type']]).toEqual([
      200,
      expect.stringMatching(/^text\/html/),
    ])
    const post = await app.inject({
      method: 'POST',
      url: '/unsubscribe?code=0123456789ABCDEFGHJKMNPQR',
    })
    expect([post.statusCode, post.json()]).toMatchObject([400, { code: 'invalid_code' }])
  })

  test('CH2 waits for a code again after a change, and the code to the old address does not end it', async () => {
    const { owner, only, channel, codeOf, confirm } = await setUpMail()
    await confirm(await codeOf(1))
    const settings = { kind: 'email', address: 'eve@example.org' }
    await owner.inject({ method: 'PATCH', url: `${url}/${channel.id}`, payload: { settings } })
    expect(await only()).toMatchObject({ state: 'unconfirmed', target: 'eve@example.org' })
    await confirm(await codeOf(2))
    expect(await only()).toMatchObject({ state: 'ready' })
  })

  test('CH2 S52 gets only a few codes an hour, from all users together', async () => {
    const { post, channel, signUp, inbox, owner, name } = await setUpMail()
    const other = await signUp()
    const settings = { kind: 'email', address: `${name.toLowerCase()}@EXAMPLE.org` }
    const statuses = []
    for (const browser of [owner, other, other, owner]) {
      statuses.push((await post(url, { name: 'Mail', settings }, browser)).statusCode)
    }
    expect(statuses).toEqual([201, 201, 201, 201])
    expect((await post(url, { name: 'Mail', settings }, other)).statusCode).toBe(429)
    expect((await post(`${url}/${channel.id}/code`)).statusCode).toBe(429)
    expect(await inbox.received(5)).toHaveLength(5)
  })

  test('is refused if the server sends no e-mail', async () => {
    const { create } = await setUp()
    const refused = await create({ kind: 'email', address: 'ada@example.org' })
    expect(refused.json()).toMatchObject({ code: 'mail_off' })
  })
})
