import { pino } from 'pino'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../test/listen.ts'
import type { MailServer } from '../test/mail-server.ts'
import { openSmtpInbox } from '../test/smtp-inbox.ts'
import { createMailer, type Mail } from './mailer.ts'
import { inTime } from '../test/in-time.ts'

const mail: Mail = {
  kind: 'greeting',
  to: 'ada@example.org',
  subject: 'Hello',
  text: 'Good morning.\n',
}

const nowMs = Date.parse('2026-01-02T03:04:05Z')

async function setUp() {
  const inbox = await openSmtpInbox()
  const lines: string[] = []
  const log = pino({}, { write: (line) => lines.push(line) })
  /** The waits before another try, which the test ends. */
  const waits: number[] = []
  const mailer = createMailer(inbox.config, {
    clock: () => nowMs,
    log,
    wait: async (ms) => waits.push(ms),
  })
  const events = () => lines.map((line): Record<string, unknown> => JSON.parse(line))
  return { inbox, mailer, events, waits, logged: () => lines.join('') }
}

test('a mail arrives as written, marked as automatic', async () => {
  const { inbox, mailer, events } = await setUp()
  expect(mailer.post(async () => [mail])).toBe(true)
  const [received] = await inbox.received(1)
  expect(received?.to).toEqual(['ada@example.org'])
  expect(received?.headers).toMatch(/^From: Sky <sky@example.org>$/m)
  expect(received?.headers).toMatch(/^Subject: Hello$/m)
  expect(received?.headers).toMatch(/^Auto-Submitted: auto-generated$/m)
  expect(received?.text.trim()).toBe('Good morning.')
  await vi.waitFor(
    () => expect(events()).toMatchObject([{ event: 'mail_sent', kind: 'greeting' }]),
    inTime,
  )
})

test('S20 a mail is composed after the answer, and is never in the log', async () => {
  const { inbox, mailer, logged } = await setUp()
  let isComposed = false
  mailer.post(async () => {
    isComposed = true
    return [mail]
  })
  expect(isComposed).toBe(false)
  await inbox.received(1)
  await mailer.stop()
  expect(logged()).not.toContain('ada@')
  expect(logged()).not.toContain('Good morning')
})

test('no text reaches another header or another address', async () => {
  const { inbox, mailer } = await setUp()
  const evil = {
    ...mail,
    subject: 'Hello\r\nBcc: eve@example.org',
    to: 'ada@example.org, eve@example.org',
  }
  mailer.post(async () => [evil, mail])
  const received = await inbox.received(1)
  await mailer.stop()
  for (const { to, headers } of received) {
    expect(to).not.toContain('eve@example.org')
    expect(headers).not.toMatch(/^Bcc:/im)
  }
})

test('a busy server is tried again, and the mail arrives', async () => {
  const { inbox, mailer, events, waits } = await setUp()
  inbox.refuse({ code: 451, message: 'Later' })
  mailer.post(async () => [mail])
  await vi.waitFor(() => expect(waits).not.toEqual([]), inTime)
  inbox.refuse(undefined)
  await vi.waitFor(() => expect(events().at(-1)).toMatchObject({ event: 'mail_sent' }), inTime)
  expect(events()[0]).toMatchObject({ event: 'mail_failed', level: 40, tries: 1 })
})

test('a mail that can’t be sent is one clear log line, without the address', async () => {
  const { inbox, mailer, events, waits, logged } = await setUp()
  inbox.refuse({ code: 550, message: '<%s> is unknown here, ADA@Example.ORG too' })
  mailer.post(async () => [mail])
  await vi.waitFor(
    () =>
      expect(events()).toMatchObject([
        {
          event: 'mail_failed',
          kind: 'greeting',
          level: 50,
          msg: expect.stringContaining('SMTP_URL'),
        },
      ]),
    inTime,
  )
  expect(waits).toEqual([])
  expect(logged()).toContain('<(address)> is unknown here, (address) too')
  expect(logged()).not.toMatch(/ada@/i)
})

test('a mail that can’t be composed is logged, and the next mail is sent', async () => {
  const { inbox, mailer, events } = await setUp()
  mailer.post(() => Promise.reject(new Error('the storage is gone')))
  mailer.post(async () => [mail])
  await inbox.received(1)
  expect(events()[0]).toMatchObject({
    event: 'mail_failed',
    err: { message: 'the storage is gone' },
  })
})

test('the health says when the last mail was sent, and why the last try failed', async () => {
  const { inbox, mailer } = await setUp()
  onTestFinished(() => mailer.stop())
  expect(mailer.health()).toEqual({ lastSentMs: undefined, failure: undefined })
  await mailer.deliver(mail)
  expect(mailer.health()).toEqual({ lastSentMs: nowMs, failure: undefined })
  // That a mailbox is not there says nothing of the mail server.
  inbox.refuse({ code: 550, message: '<%s> is not here' })
  await mailer.deliver(mail)
  expect(mailer.health()).toEqual({ lastSentMs: nowMs, failure: undefined })
  inbox.refuse({ code: 535, message: 'No entry for ada@example.org', of: 'sender' })
  await mailer.deliver(mail)
  const reason = expect.stringContaining('No entry for (address)')
  expect(mailer.health()).toEqual({ lastSentMs: nowMs, failure: { atMs: nowMs, reason } })
  inbox.refuse(undefined)
  mailer.post(async () => [mail])
  await vi.waitFor(() => expect(mailer.health().failure).toBeUndefined(), inTime)
})

test('S52 only a limited number of mails wait', async () => {
  const { mailer, events } = await setUp()
  const never = new Promise<readonly Mail[]>(() => undefined)
  const posted = Array.from({ length: 201 }, () => mailer.post(() => never))
  expect(posted.filter(Boolean)).toHaveLength(200)
  expect(posted.at(-1)).toBe(false)
  expect(events()).toMatchObject([{ event: 'mail_dropped', level: 50 }])
})

async function delivered(reply?: Parameters<MailServer['refuse']>[0]) {
  const { inbox, mailer, events, logged } = await setUp()
  onTestFinished(() => mailer.stop())
  inbox.refuse(reply)
  const outcome = await mailer.deliver(mail)
  expect(logged()).not.toContain('ada@')
  return { inbox, mailer, outcome, events: events() }
}

describe('a mail whose sender waits', () => {
  test('AL10 arrives, and its sender learns so, without its address', async () => {
    const { outcome, inbox, events } = await delivered()
    const note = expect.stringMatching(/took it: 250.* Taken for \(address\)$/)
    expect(outcome).toEqual({ isOk: true, note })
    expect(inbox.mails).toHaveLength(1)
    expect(events).toMatchObject([{ event: 'mail_sent', kind: 'greeting' }])
  })

  test.each([
    [550, true],
    [451, false],
  ])('is tried once: %s is final: %s', async (code, isFinal) => {
    const { outcome, events } = await delivered({ code, message: '<%s> is not here' })
    expect(outcome).toMatchObject({ isOk: false, isFinal })
    expect(outcome.note).toContain('(address)')
    expect(events).toMatchObject([{ event: 'mail_failed', level: 40, tries: 1 }])
  })

  test('[N11] waits where the server refuses the sender, which only the operator learns', async () => {
    const message = 'Invalid login of the postmaster'
    const { outcome } = await delivered({ code: 535, message, of: 'sender' })
    expect(outcome).toEqual({
      isOk: false,
      isFinal: false,
      note: 'The mail server of this site takes no mails just now.',
    })
  })

  test('reveals a missing mail server to the operator only', async () => {
    const { inbox } = await setUp()
    const log = pino({ level: 'silent' })
    const mailer = createMailer(
      { ...inbox.config, port: await freePort() },
      { clock: Date.now, log },
    )
    onTestFinished(() => mailer.stop())
    expect(await mailer.deliver(mail)).toEqual({
      isOk: false,
      isFinal: false,
      note: 'The mail server of this site takes no mails just now.',
    })
  })

  test('CH5 S52 waits with a limited number of others', async () => {
    const { inbox, mailer } = await delivered()
    const outcomes = await Promise.all(Array.from({ length: 53 }, () => mailer.deliver(mail)))
    expect(outcomes.filter(({ isOk }) => !isOk)).toHaveLength(3)
    expect(inbox.mails).toHaveLength(51)
  })
})
