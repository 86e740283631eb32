import { createPublicKey, verify } from 'node:crypto'
import type { ChannelSettings } from '@astropelago/contract/alert-channels'
import { pino } from 'pino'
import { Webhook } from 'standardwebhooks'
import * as v from 'valibot'
import { describe, expect, onTestFinished, test } from 'vitest'
import webPush from 'web-push'
import { createMailer } from '../../../mail/mailer.ts'
import { createOutgoing } from '../../../outgoing/outgoing.ts'
import { startReceiver } from '../../../outgoing/testing/receiver.ts'
import { openSmtpInbox } from '../../../test/smtp-inbox.ts'
import type { ChannelRecord } from './channels-store.ts'
import { makeWebhookSecret } from './kinds/webhook.ts'
import { createSendMessage } from './send-message.ts'
import { makeSubscription } from './testing/browser-subscription.ts'
import { alertMessage, hostile } from './testing/messages.ts'

const publicUrl = 'https://sky.example'
const unsubscribeCode = '0123456789ABCDEFGHJKMNPQR'
const token = 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2'

const Body = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()))

async function setUp() {
  const receiver = await startReceiver()
  const inbox = await openSmtpInbox()
  const mailer = createMailer(inbox.config, { clock: Date.now, log: pino({ level: 'silent' }) })
  onTestFinished(() => mailer.stop())
  const keys = webPush.generateVAPIDKeys()
  const sendMessage = createSendMessage({
    outgoing: createOutgoing({ clock: Date.now, ownHosts: ['sky.example'], allowsPrivate: true }),
    mailer,
    clock: Date.now,
    publicUrl,
    pushSender: { ...keys, contact: publicUrl },
  })
  const secret = makeWebhookSecret()
  const send = (settings: ChannelSettings, changes = {}, idempotencyKey = 'msg_1') => {
    const record: ChannelRecord = {
      key: 1,
      id: 'c1',
      userKey: 1,
      name: 'Work',
      settings,
      revision: 0,
      secret,
      unsubscribeCode,
      confirmedMs: 1,
      endedMs: null,
      createdMs: 1,
      answer: null,
      failingMs: null,
    }
    return sendMessage(record, { message: alertMessage(changes), idempotencyKey })
  }
  /** The one call that came, with its body as JSON. */
  const called = () => {
    expect(receiver.calls).toHaveLength(1)
    const [call] = receiver.calls
    if (call === undefined) throw new Error('Nothing came')
    return { ...call, json: v.parse(Body, call.body.toString()) }
  }
  return { ...receiver, inbox, keys, secret, send, called }
}

describe('[CH5] a webhook', () => {
  test('CH4 is signed as Standard Webhooks defines it', async () => {
    const { url, secret, send, called } = await setUp()
    const { result } = await send({ kind: 'webhook', url: `${url}/hook?a=b` })
    expect(result).toEqual({ isOk: true, note: 'It answered 200.' })
    const { method, path, headers, body } = called()
    expect([method, path]).toEqual(['POST', '/hook?a=b'])
    expect(headers['webhook-id']).toBe('msg_1')
    const signed = v.parse(v.record(v.string(), v.string()), headers)
    expect(new Webhook(secret).verify(body.toString(), signed)).toEqual({
      type: 'alert.offline',
      timestamp: '2030-01-31T12:00:00.000Z',
      data: {
        title: 'Attic Pi is offline',
        lines: ['Since 31 January, 12:00 UTC.', 'Last seen 5 minutes before.'],
        url: 'https://sky.example/devices/d1',
        items: [
          {
            of: 'device',
            id: 'd1',
            name: 'Attic Pi',
            status: 'offline',
            since: '2030-01-31T12:00:00.000Z',
            url: 'https://sky.example/devices/d1',
          },
        ],
      },
    })
    expect(() => new Webhook(makeWebhookSecret()).verify(body.toString(), signed)).toThrow(
      'No matching signature found',
    )
    expect(() => new Webhook(secret).verify(`${body.toString()} `, signed)).toThrow(
      'No matching signature found',
    )
  })

  test('is retried whatever it answers, except when it says that it is gone', async () => {
    const { url, send, answerWith } = await setUp()
    const settings = { kind: 'webhook', url } as const
    for (const status of [400, 404, 500]) {
      answerWith((_, response) => response.writeHead(status).end())
      const { result, hasEnded } = await send(settings)
      expect([result, hasEnded]).toMatchObject([{ isOk: false, isFinal: false }, false])
    }
    answerWith((_, response) => response.writeHead(410).end())
    const { result, hasEnded } = await send(settings)
    expect([result, hasEnded]).toMatchObject([{ isOk: false, isFinal: true }, true])
  })
})

describe('[CH6] a push message', () => {
  test('CH4 is encrypted for its browser and signed by the server’s own key', async () => {
    const { url, keys, calls, send } = await setUp()
    const { settings, decrypt } = makeSubscription(`${url}/push/abc`)
    await send(settings)
    const [call] = calls
    expect(call).toMatchObject({
      method: 'POST',
      path: '/push/abc',
      headers: { ttl: '86400', urgency: 'high', 'content-encoding': 'aes128gcm' },
    })
    const plain: unknown = JSON.parse(decrypt(call?.body ?? Buffer.alloc(0)))
    expect(plain).toEqual({
      title: 'Attic Pi is offline',
      body: 'Since 31 January, 12:00 UTC.\nLast seen 5 minutes before.',
      tag: call?.headers['topic'],
      url: 'https://sky.example/devices/d1',
      at: '2030-01-31T12:00:00.000Z',
    })
    expect(call?.body.toString('latin1')).not.toContain('Attic')
    const { t = '', k } =
      /t=(?<t>[^,]+), ?k=(?<k>.+)/.exec(call?.headers.authorization ?? '')?.groups ?? {}
    expect(k).toBe(keys.publicKey)
    const [head = '', claims = '', signature = ''] = t.split('.')
    const point = Buffer.from(keys.publicKey, 'base64url')
    const key = createPublicKey({
      format: 'jwk',
      key: {
        kty: 'EC',
        crv: 'P-256',
        x: point.subarray(1, 33).toString('base64url'),
        y: point.subarray(33).toString('base64url'),
      },
    })
    const isSigned = verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      { key, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    )
    expect(isSigned).toBe(true)
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      aud: url,
      sub: publicUrl,
    })
  })

  test('has the same topic in each try of one delivery, and fits in 4096 bytes', async () => {
    const { url, calls, send } = await setUp()
    const { settings } = makeSubscription(url)
    const long = { title: '🛰️'.repeat(2000), lines: Array.from({ length: 500 }, () => hostile) }
    await send(settings, long)
    await send(settings, long)
    await send(settings, long, 'msg_2')
    const topics = calls.map(({ headers }) => headers['topic'])
    expect(topics[0]).toBe(topics[1])
    expect(topics[0]).not.toBe(topics[2])
    for (const { body } of calls) expect(body.length).toBeLessThanOrEqual(4096)
  })

  test.each([404, 410])('ends its channel if the push service answers %s', async (status) => {
    const { url, send, answerWith } = await setUp()
    answerWith((_, response) => response.writeHead(status).end())
    const { result, hasEnded } = await send(makeSubscription(url).settings)
    expect([result, hasEnded]).toMatchObject([{ isOk: false, isFinal: true }, true])
  })

  test('with impossible keys is a final failure', async () => {
    const { url, send, calls } = await setUp()
    const { settings } = makeSubscription(url)
    const keys = { ...settings.keys, p256dh: `B${'A'.repeat(86)}` }
    expect((await send({ ...settings, keys })).result).toMatchObject({ isOk: false, isFinal: true })
    expect(calls).toEqual([])
  })
})

describe('[CH4] a mail', () => {
  const settings = { kind: 'email', address: 'ada@example.org' } as const

  test('CH3 is text and HTML, with a header by which mail programs unsubscribe', async () => {
    const { inbox, send } = await setUp()
    const { result } = await send(settings, { lines: [hostile] })
    expect(result).toMatchObject({ isOk: true })
    const [mail] = await inbox.received(1)
    expect(mail?.to).toEqual(['ada@example.org'])
    const headers = mail?.headers.replaceAll(/\r?\n\s+/g, ' ')
    expect(headers).toMatch(/^Subject: Attic Pi is offline\r?$/m)
    expect(headers).toMatch(/^Message-ID: <msg_1@sky.example>\r?$/m)
    expect(headers).toContain(
      `List-Unsubscribe: <https://sky.example/unsubscribe?code=${unsubscribeCode}>`,
    )
    expect(headers).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m)
    const text = mail?.text.replaceAll('=\r\n', '').replaceAll('=3D', '=')
    expect(text?.replaceAll('=E2=80=8B', '')).toContain(hostile)
    expect(text).toContain('https://sky.example/unsubscribe#01234-56789-ABCDE-FGHJK-MNPQR')
    expect(text).toContain('&lt;!channel&gt;')
    expect(text?.split('<!doctype html>')[1]).not.toContain('<b>')
  })

  test('CH3 turns no text of a stranger into a link', async () => {
    const { inbox, send } = await setUp()
    const evil = 'http://evil.example evil.example'
    await send(settings, { title: evil, lines: [evil] })
    const [mail] = await inbox.received(1)
    const text = Buffer.from(
      (mail?.text ?? '')
        .replaceAll('=\r\n', '')
        .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
      'latin1',
    ).toString()
    expect(text).not.toMatch(/evil\.example|:\/\/evil/)
    expect(text.replaceAll('\u200B', '').split(evil)).toHaveLength(6)
  })

  test.each([
    [550, true],
    [451, false],
  ])('that is refused by %s is final: %s', async (code, isFinal) => {
    const { inbox, send } = await setUp()
    inbox.refuse({ code, message: '<%s> is not here' })
    const { result } = await send(settings)
    expect(result).toMatchObject({ isOk: false, isFinal })
    expect(result.note).toContain('is not here')
  })
})

/** The calls that each service's documentation asks for. Texts are those of `alertMessage`. */
const formats: readonly (readonly [
  string,
  (url: string) => ChannelSettings,
  {
    readonly method?: string
    readonly path: string
    readonly headers?: object
    readonly json: object
  },
])[] = [
  [
    'ntfy',
    (url) => ({ kind: 'ntfy', topic: `${url}/attic-7f`, token }),
    {
      path: '/',
      headers: { authorization: `Bearer ${token}` },
      json: {
        topic: 'attic-7f',
        title: 'Attic Pi is offline',
        message: 'Since 31 January, 12:00 UTC.\nLast seen 5 minutes before.',
        click: 'https://sky.example/devices/d1',
        priority: 4,
        tags: ['red_circle'],
      },
    },
  ],
  [
    'gotify',
    (url) => ({ kind: 'gotify', server: `${url}/push`, token }),
    {
      path: '/push/message',
      headers: { 'x-gotify-key': token },
      json: {
        title: 'Attic Pi is offline',
        message: 'Since 31 January, 12:00 UTC.\nLast seen 5 minutes before.',
        priority: 8,
        extras: {
          'client::display': { contentType: 'text/plain' },
          'client::notification': { click: { url: 'https://sky.example/devices/d1' } },
        },
      },
    },
  ],
  [
    'discord',
    (url) => ({ kind: 'discord', url: `${url}/api/webhooks/12/secret-part` }),
    {
      path: '/api/webhooks/12/secret-part?wait=true',
      json: {
        content:
          '**Attic Pi is offline**\nSince 31 January, 12\\:00 UTC\\.\nLast seen 5 minutes before\\.\nhttps://sky.example/devices/d1',
        allowed_mentions: { parse: [] },
        flags: 4,
      },
    },
  ],
  [
    'slack',
    (url) => ({ kind: 'slack', url: `${url}/services/T0/B0/secretpart` }),
    {
      path: '/services/T0/B0/secretpart',
      json: {
        text: 'Attic Pi is offline\nSince 31 January, 12:00 UTC.\nLast seen 5 minutes before.\nhttps://sky.example/devices/d1',
        mrkdwn: false,
        unfurl_links: false,
        unfurl_media: false,
      },
    },
  ],
  [
    'telegram',
    (url) => ({ kind: 'telegram', server: url, token: '123:secret-part', chat: '-1001' }),
    {
      path: '/bot123:secret-part/sendMessage',
      json: {
        chat_id: '-1001',
        text: 'Attic Pi is offline\nSince 31 January, 12:00 UTC.\nLast seen 5 minutes before.\nhttps://sky.example/devices/d1',
        entities: [{ type: 'bold', offset: 0, length: 19 }],
        link_preview_options: { is_disabled: true },
      },
    },
  ],
  [
    'matrix',
    (url) => ({ kind: 'matrix', server: url, token, room: '!abc:sky.example' }),
    {
      method: 'PUT',
      path: '/_matrix/client/v3/rooms/!abc%3Asky.example/send/m.room.message/msg_1',
      headers: { authorization: `Bearer ${token}` },
      json: {
        msgtype: 'm.text',
        body: 'Attic Pi is offline\nSince 31 January, 12:00 UTC.\nLast seen 5 minutes before.\nhttps://sky.example/devices/d1',
        format: 'org.matrix.custom.html',
        formatted_body:
          '<strong>Attic Pi is offline</strong><br>Since 31 January, 12:00 UTC.<br>Last seen 5 minutes before.<br><a href="https://sky.example/devices/d1">https://sky.example/devices/d1</a>',
        'm.mentions': {},
      },
    },
  ],
]

describe('[CH7] services', () => {
  test.each(formats)('%s gets what its documentation asks for', async (_, settings, expected) => {
    const { url, send, called } = await setUp()
    expect((await send(settings(url))).result).toMatchObject({ isOk: true })
    expect(called()).toMatchObject({
      method: expected.method ?? 'POST',
      path: expected.path,
      headers: { 'content-type': 'application/json', ...expected.headers },
    })
    expect(called().json).toEqual(expected.json)
  })

  /** The text that a chat reads as markup. */
  const marked: readonly (readonly [string, (json: Record<string, unknown>) => unknown, RegExp])[] =
    [
      // A backslash precedes every character of Markdown and mentions, except in our own bold title.
      [
        'discord',
        ({ content }) =>
          String(content)
            .replace(/^\*\*|\*\*\n/g, '')
            .replace(/\n[^\n]*$/, ''),
        /(?<!\\)(?:\\\\)*[*_~`|<>#[\]():@]/,
      ],
      ['slack', ({ text }) => text, /<|>|&(?!amp;|lt;|gt;)|@(?!\u200B)/],
      ['telegram', ({ text }) => text, /@(?!\u200B)/],
      [
        'matrix',
        ({ formatted_body: body }) =>
          String(body).replaceAll(/<\/?(?:strong|br|a)(?: href="[^"<>]*")?>/g, ''),
        /[<>"]/,
      ],
    ]
  test.each(marked)(
    'CH3 [CH8] %s reads no character of a text as markup',
    async (kind, read, sign) => {
      const { url, send, called } = await setUp()
      const [, settings] = formats.find(([name]) => name === kind) ?? []
      if (settings === undefined) throw new Error(kind)
      await send(settings(url), { title: hostile, lines: [hostile, hostile] })
      expect(read(called().json)).not.toMatch(sign)
    },
  )

  test.each([
    ['slack', 'text'],
    ['telegram', 'text'],
    ['matrix', 'body'],
    ['matrix', 'formatted_body'],
    ['ntfy', 'title'],
    ['ntfy', 'message'],
    ['gotify', 'title'],
    ['gotify', 'message'],
  ])(
    'CH3 [CH8] %s turns no text of a stranger into a link, picture or command in its %s',
    async (kind, name) => {
      const { url, send, called } = await setUp()
      const [, settings] = formats.find(([one]) => one === kind) ?? []
      if (settings === undefined) throw new Error(kind)
      const evil = '/start http://evil.example evil.example ![x](a) [x](b)'
      await send(settings(url), { title: evil, lines: [evil] })
      const text = String(called().json[name]).replaceAll('https://sky.example/devices/d1', '')
      expect(text).not.toMatch(/:\/\/|\.\w|\]\(|(?:^|[\s>])\/\w/m)
      // The whole text is still readable.
      expect(text.replaceAll('\u200B', '')).toContain(evil)
    },
  )

  test.each([
    ['ntfy', ({ message }: Record<string, unknown>) => Buffer.byteLength(String(message)), 4096],
    ['discord', ({ content }: Record<string, unknown>) => String(content).length, 2000],
    ['telegram', ({ text }: Record<string, unknown>) => String(text).length, 4096],
    ['slack', ({ text }: Record<string, unknown>) => String(text).length, 40_000],
    ['matrix', (json: Record<string, unknown>) => JSON.stringify(json).length, 60_000],
  ])('[CH8] %s gets no longer message than it accepts', async (kind, size, max) => {
    const { url, send, called } = await setUp()
    const [, settings] = formats.find(([name]) => name === kind) ?? []
    if (settings === undefined) throw new Error(kind)
    const lines = Array.from({ length: 1000 }, () => '@'.repeat(30) + hostile)
    await send(settings(url), { title: '*@'.repeat(200), lines })
    expect(size(called().json)).toBeLessThanOrEqual(max)
    expect(JSON.stringify(called().json)).toContain('https://sky.example/devices/d1')
  })

  test.each(
    formats.flatMap(([name, settings]) =>
      [302, 401, 403].map((status) => [name, status, settings] as const),
    ),
  )('%s that answers %s is not tried again', async (_, status, settings) => {
    const { url, send, answerWith } = await setUp()
    answerWith((__, response) => response.writeHead(status).end('no'))
    expect((await send(settings(url))).result).toMatchObject({ isOk: false, isFinal: true })
  })

  test.each([
    ['a header', { 'retry-after': '7' }, '', 7000],
    ['Telegram’s body', {}, '{"ok":false,"parameters":{"retry_after":8}}', 8000],
    ['Discord’s body', {}, '{"message":"slow","retry_after":0.65}', 650],
    ['Matrix’s body', {}, '{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":2000}', 2000],
    ['nothing that is read', {}, '{"retry_after":"soon"}', undefined],
    ['a time without end', {}, '{"retry_after":1e300}', 86_400_000],
  ])(
    '[CH9] the next try waits as long as the target asks: %s',
    async (_, headers, body, retryAfterMs) => {
      const { url, send, answerWith } = await setUp()
      answerWith((__, response) => response.writeHead(429, headers).end(body))
      const { result } = await send({ kind: 'gotify', server: url, token })
      expect(result).toMatchObject({ isOk: false, isFinal: false })
      expect('retryAfterMs' in result ? result.retryAfterMs : undefined).toBe(retryAfterMs)
    },
  )
})

describe('[CH3] the owner of a channel sees', () => {
  test.each(formats)('CH1 %s: all but what opens it, whatever comes back', async (_, settings) => {
    const { url, send, answerWith } = await setUp()
    // The answer repeats the whole request.
    answerWith((request, response) =>
      response.writeHead(400).end(`${request.url} ${JSON.stringify(request.headers)}`),
    )
    const sent = await send(settings(url))
    const shown = JSON.stringify(sent)
    expect(shown).not.toMatch(/tk_\w+|secret-?part|attic-7f/)
    expect(sent.sent).toMatch(/^(?:POST|PUT) http/)
    expect(sent.sent).toContain('Attic Pi is offline')
    expect(sent.answer).toMatch(/^400\n/)
  })

  test('CH1 what was sent without any secret, however short it is', async () => {
    const { url, send } = await setUp()
    const { sent } = await send({ kind: 'ntfy', topic: `${url}/at-7`, token: 'q7' })
    expect(sent).toContain('"topic":"•••"')
    expect(sent).toContain('authorization: Bearer •••')
    expect(sent).not.toMatch(/at-7|q7/)
  })

  test('an answer without any part of the channel’s address', async () => {
    const { url, send, answerWith } = await setUp()
    answerWith((_, response) =>
      response.writeHead(404).end('No hook very-secret for another-secret'),
    )
    const hook = `${url}/hooks/very-secret?key=another-secret`
    const { answer } = await send({ kind: 'webhook', url: hook })
    expect(answer).toBe('404\nNo hook ••• for •••')
  })

  test('a push message as it was before it was encrypted, without its address', async () => {
    const { url, send } = await setUp()
    const { settings } = makeSubscription(`${url}/push/very-secret-id`)
    const { sent } = await send(settings)
    expect(sent).toContain('"title":"Attic Pi is offline"')
    expect(sent).not.toContain('very-secret-id')
    expect(sent).not.toContain('vapid')
  })

  test('a mail, without the code that ends it', async () => {
    const { send } = await setUp()
    const { sent } = await send({ kind: 'email', address: 'ada@example.org' })
    expect(sent).toContain('Subject: Attic Pi is offline')
    expect(sent).not.toContain('01234-56789')
  })

  test('an answer without characters that change how text is drawn', async () => {
    const { url, send, answerWith } = await setUp()
    answerWith((_, response) => response.writeHead(500).end('a\u202Eb\u0000c\u001B[31m\nd'))
    const { answer, result } = await send({ kind: 'webhook', url })
    expect(answer).toBe('500\nabc[31m\nd')
    expect(result.note).toBe('It answered 500: abc[31m')
  })
})
