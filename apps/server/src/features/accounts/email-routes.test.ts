import type { OwnEmail } from '@astropelago/contract/email'
import { afterAll, expect, test } from 'vitest'
import { createTestApp, shareTestApp } from '../../test/create-test-app.ts'
import { testPassword as password } from '../../test/factories.ts'
import { startMailServer } from '../../test/mail-server.ts'
import { mailsOf } from '../../test/smtp-inbox.ts'

const mailServer = await startMailServer()
afterAll(() => void mailServer.stop())
const mailOptions = { config: { mail: mailServer.config, publicUrl: 'https://sky.example' } }

async function setUp(made = shareTestApp(mailOptions)) {
  const testApp = await made
  const user = await testApp.signUp()
  const domain = `${user.username}.example`
  const inbox = mailsOf(mailServer, domain)
  const change = (payload: object, options = {}) =>
    user.inject({ method: 'POST', url: '/api/me/email', payload, ...options })
  const confirm = (code: string) =>
    testApp.inject({ method: 'POST', url: '/api/auth/confirm-email', payload: { code } })
  const own = async () => (await user.inject({ url: '/api/me/email' })).json<OwnEmail>()
  /** The link in the mail with this number, counted from 1. */
  const linkIn = async (number: number) => {
    const mail = (await inbox.received(number))[number - 1]
    return /https:\/\/sky\.example\/confirm-email#\S+/.exec(mail?.text ?? '')?.[0] ?? ''
  }
  const actions = async () => {
    const rows = await testApp.storage.db
      .selectFrom('audit_log')
      .select(['action'])
      .where('subject', '=', `user:${user.username}`)
      .orderBy('key')
      .execute()
    return rows.map(({ action }) => action)
  }
  return { ...testApp, inbox, user, domain, change, confirm, own, linkIn, actions }
}

const none: OwnEmail = { address: null, pending: null, canSendMail: true }
const expiresAt = '2026-01-02T00:00:00.000Z'

test('an address is used once its mailed link is confirmed, which works once', async () => {
  const { change, confirm, own, linkIn, inbox, actions, user, domain } = await setUp()
  const address = `ada@${domain}`
  const pending = { address, expiresAt }
  expect(await own()).toEqual(none)
  const asked = await change({ address: ` ${address} `, password })
  expect(asked.json()).toEqual({ ...none, pending })
  expect(await own()).toEqual({ ...none, pending })
  const link = await linkIn(1)
  expect(inbox.mails()[0]?.to).toEqual([address])
  const confirmed = await confirm(link)
  expect(confirmed.json()).toEqual({ username: user.username, address })
  expect(await own()).toEqual({ ...none, address })
  expect((await confirm(link)).json()).toMatchObject({ code: 'invalid_code' })
  expect(await actions()).toEqual(['email.confirmed'])
})

test('opening the link confirms nothing: confirming is a POST', async () => {
  const { change, confirm, own, linkIn, inject, domain } = await setUp()
  const address = `ada@${domain}`
  await change({ address, password })
  const link = await linkIn(1)
  for (const method of ['GET', 'HEAD'] as const) {
    await inject({ method, url: '/confirm-email' })
    expect((await inject({ method, url: '/api/auth/confirm-email' })).statusCode).toBe(404)
  }
  expect(await own()).toEqual({ ...none, pending: { address, expiresAt } })
  expect((await confirm(link)).statusCode).toBe(200)
})

test('a second address replaces the pending one, whose code ends', async () => {
  const { change, confirm, own, linkIn, domain } = await setUp()
  await change({ address: `ada@${domain}`, password })
  const first = await linkIn(1)
  await change({ address: `eve@${domain}`, password })
  const second = await linkIn(2)
  expect((await confirm(first)).statusCode).toBe(400)
  expect((await confirm(second)).statusCode).toBe(200)
  expect(await own()).toEqual({ ...none, address: `eve@${domain}` })
})

test('a code ends after a day, and when the password changes', async () => {
  const { change, confirm, linkIn, user, clock, own, domain } = await setUp(
    createTestApp(mailOptions),
  )
  await change({ address: `ada@${domain}`, password })
  const late = await linkIn(1)
  clock.move(24 * 3_600_000)
  expect(await own()).toEqual(none)
  expect((await confirm(late)).statusCode).toBe(400)
  await change({ address: `eve@${domain}`, password })
  const intruders = await linkIn(2)
  const payload = { password, newPassword: 'another horse' }
  await user.inject({ method: 'POST', url: '/api/me/password', payload })
  expect((await confirm(intruders)).statusCode).toBe(400)
})

test('the previous address is notified of change and removal, and codes sent to it end', async () => {
  const { change, confirm, own, linkIn, inbox, inject, actions, user, domain } = await setUp()
  await change({ address: `ada@${domain}`, password })
  await confirm(await linkIn(1))
  const payload = { account: user.username }
  await inject({ method: 'POST', url: '/api/auth/forgot-password', payload })
  const [, lost] = await inbox.received(2)
  const [resetLink = ''] = /https:\S+/.exec(lost?.text ?? '') ?? []

  await change({ address: `eve@${domain}`, password })
  await confirm(await linkIn(3))
  const told = (await inbox.received(4))[3]
  expect(told?.to).toEqual([`ada@${domain}`])
  expect(told?.text).toContain('no longer uses this e-mail address')
  const reset = { code: resetLink, newPassword: 'another horse' }
  expect(
    (await inject({ method: 'POST', url: '/api/auth/reset-password', payload: reset })).json(),
  ).toMatchObject({ code: 'invalid_code' })

  expect((await change({ address: null, password })).json()).toEqual(none)
  expect((await inbox.received(5))[4]?.to).toEqual([`eve@${domain}`])
  expect(await own()).toEqual(none)
  expect(await actions()).toEqual([
    'email.confirmed',
    'reset_code.mailed',
    'email.confirmed',
    'email.removed',
  ])
})

test.each([
  ['a wrong password', { address: 'ada@example.org', password: 'wrong horse' }, 'wrong_password'],
  ['a wrong password, to remove it', { address: null, password: 'no horse' }, 'wrong_password'],
  ['no password', { address: 'ada@example.org' }, 'invalid_input'],
  ['no address', { address: 'ada', password }, 'invalid_input'],
  [
    'a header in its place',
    { address: 'ada@example.org\r\nBcc: eve@example.org', password },
    'invalid_input',
  ],
])('with %s nothing changes and nothing is sent', async (_, payload, code) => {
  const { change, own } = await setUp()
  expect((await change(payload)).json()).toMatchObject({ code })
  expect(await own()).toEqual(none)
  expect(mailsOf(mailServer, 'example.org').mails()).toEqual([])
})

test('nobody can flood a stranger’s mailbox, not even with many accounts', async () => {
  const { signUp, inbox, domain } = await setUp()
  const codes: number[] = []
  for (let time = 0; time < 6; time += 1) {
    const user = await signUp()
    const payload = { address: `victim@${domain}`, password }
    const answer = await user.inject({ method: 'POST', url: '/api/me/email', payload })
    codes.push(answer.statusCode)
  }
  expect(codes).toEqual([200, 200, 200, 200, 200, 429])
  expect(await inbox.received(5)).toHaveLength(5)
})

test('S23 no user sees another user’s address', async () => {
  const { change, confirm, linkIn, signUp, domain } = await setUp()
  await change({ address: `ada@${domain}`, password })
  await confirm(await linkIn(1))
  const stranger = await signUp()
  expect((await stranger.inject({ url: '/api/me/email' })).json()).toEqual(none)
})

test('without a mail server an address can be removed but not entered', async () => {
  const { signUp, storage } = await createTestApp()
  const user = await signUp()
  await storage.db
    .updateTable('users')
    .set({ email: 'ada@example.org' })
    .where('username', '=', user.username)
    .execute()
  const change = (address: string | null) =>
    user.inject({ method: 'POST', url: '/api/me/email', payload: { address, password } })
  expect((await change('eve@example.org')).json()).toMatchObject({ code: 'mail_off' })
  expect((await user.inject({ url: '/api/me/email' })).json()).toEqual({
    address: 'ada@example.org',
    pending: null,
    canSendMail: false,
  })
  expect((await change(null)).json()).toEqual({ ...none, canSendMail: false })
})
