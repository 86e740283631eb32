import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { shareTestApp, type TestApp, type TestBrowser } from '../../test/create-test-app.ts'
import { testPassword } from '../../test/factories.ts'
import { startMailServer } from '../../test/mail-server.ts'
import { createOperatorApp, shareOperatorApp } from '../../test/operator-app.ts'
import { mailsOf } from '../../test/smtp-inbox.ts'

const newPassword = 'another horse'

const login = ({ inject }: Pick<TestApp, 'inject'>, username: string, password: string) =>
  inject({ method: 'POST', url: '/api/auth/password-login', payload: { username, password } })

async function setUp(made = shareOperatorApp()) {
  const testApp = await made
  const user = await testApp.signUp()
  const change = (payload: object, options = {}) =>
    user.inject({ method: 'POST', url: '/api/me/password', payload, ...options })
  return { ...testApp, user, change }
}

test('only the changed password signs in', async () => {
  const { change, user, ...testApp } = await setUp()
  expect((await change({ password: testPassword, newPassword })).statusCode).toBe(204)
  expect((await login(testApp, user.username, testPassword)).statusCode).toBe(401)
  expect((await login(testApp, user.username, newPassword)).statusCode).toBe(200)
})

test('S22 changing the password ends every session, and this browser gets a new one', async () => {
  const { change, user, ...testApp } = await setUp()
  const { cookies } = await login(testApp, user.username, testPassword)
  const other = Object.fromEntries(cookies.map(({ name, value }) => [name, value]))
  const changed = await change({ password: testPassword, newPassword })
  expect((await testApp.inject({ url: '/api/me', cookies: other })).statusCode).toBe(401)
  expect((await user.inject({ url: '/api/me' })).statusCode).toBe(401)
  const own = Object.fromEntries(changed.cookies.map(({ name, value }) => [name, value]))
  expect((await testApp.inject({ url: '/api/me', cookies: own })).json()).toMatchObject({
    user: { username: user.username },
  })
})

test.each([
  ['a wrong present password', { password: 'wrong horse', newPassword }, 403, 'wrong_password'],
  ['no present password', { password: '', newPassword }, 400, 'invalid_input'],
  ['S2 a common one', { newPassword: 'sunshine' }, 400, 'common_password'],
  [
    'S2 the username',
    ({ username }: TestBrowser) => ({ newPassword: username.toUpperCase() }),
    400,
    'common_password',
  ],
  ['S2 the product’s name', { newPassword: 'astropelago1' }, 400, 'common_password'],
  ['a short one', { newPassword: 'short' }, 400, 'weak_password'],
  ['S1 one too long', { newPassword: 'x'.repeat(129) }, 400, 'invalid_input'],
  ['half a surrogate pair', { newPassword: 'long enough\ud800' }, 400, 'invalid_input'],
  ['S24 an unknown field', { newPassword, username: 'nova' }, 400, 'invalid_input'],
])(
  'changing the password with %s is refused, and nothing changes',
  async (_, body, status, code) => {
    const { change, user, ...testApp } = await setUp()
    const payload = { password: testPassword, ...(typeof body === 'function' ? body(user) : body) }
    const response = await change(payload)
    expect(response.statusCode).toBe(status)
    expect(response.json()).toMatchObject({ code })
    expect((await user.inject({ url: '/api/me' })).statusCode).toBe(200)
    expect((await login(testApp, user.username, testPassword)).statusCode).toBe(200)
  },
)

test('S1 S3 a new password of any characters is hashed byte for byte, with argon2id', async () => {
  const { change, user, storage, ...testApp } = await setUp()
  const odd = ' Ünïcode 🛰 \t"\\ '
  expect((await change({ password: testPassword, newPassword: odd })).statusCode).toBe(204)
  expect((await login(testApp, user.username, odd.trim())).statusCode).toBe(401)
  expect((await login(testApp, user.username, odd)).statusCode).toBe(200)
  const { password_hash } = await storage.db
    .selectFrom('users')
    .select('password_hash')
    .where('username', '=', user.username)
    .executeTakeFirstOrThrow()
  expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('S6 guesses of the current password count towards the sign-in limits', async () => {
  const { change } = await setUp()
  const from = { remoteAddress: '192.0.2.1' }
  for (let time = 0; time < 10; time += 1) {
    const guess = await change({ password: `wrong horse ${time}`, newPassword }, from)
    expect(guess.json()).toMatchObject({ code: 'wrong_password' })
  }
  const refused = await change({ password: testPassword, newPassword }, from)
  expect(refused.statusCode).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
})

test('S9 a demo user can’t change, export or delete anything, and is refused before the body is read', async () => {
  const { inject } = await shareOperatorApp()
  const demo = await inject({ method: 'POST', url: '/api/auth/demo' })
  const cookies = Object.fromEntries(demo.cookies.map(({ name, value }) => [name, value]))
  for (const [method, url] of [
    ['POST', '/api/me/password'],
    ['POST', '/api/me/email'],
    ['POST', '/api/me/delete'],
    ['GET', '/api/me/export'],
    ['POST', '/api/me/devices/tokens/renew'],
  ] as const) {
    const response = await inject({ method, url, cookies })
    expect(response.statusCode).toBe(403)
    expect(response.json()).toMatchObject({ code: 'demo_account' })
  }
})

type OperatorApp = Awaited<ReturnType<typeof createOperatorApp>>

function operatorsCode({ operator }: Pick<OperatorApp, 'operator'>, username: string) {
  return operator.inject({ method: 'POST', url: `/api/operator/users/${username}/reset-code` })
}

const reset = ({ inject }: Pick<TestApp, 'inject'>, code: string, password = newPassword) =>
  inject({
    method: 'POST',
    url: '/api/auth/reset-password',
    payload: { code, newPassword: password },
  })

test('an operator’s code sets a password once, ends all sessions and revokes the others', async () => {
  const { user, ...testApp } = await setUp(
    createOperatorApp({ config: { publicUrl: 'https://sky.example' } }),
  )
  const { username } = user
  const made = await operatorsCode(testApp, username.toUpperCase())
  expect(made.statusCode).toBe(201)
  const { code, link } = made.json<{ code: string; link: string }>()
  expect(made.json()).toEqual({
    username,
    code,
    link: `https://sky.example/reset-password#${code}`,
    expiresAt: '2026-01-02T00:00:00.000Z',
  })
  const done = await reset(testApp, ` ${code.toLowerCase()} `)
  expect(done.json()).toEqual({ username })
  expect(done.cookies).toEqual([])
  expect((await user.inject({ url: '/api/me' })).statusCode).toBe(401)
  expect((await login(testApp, username, newPassword)).statusCode).toBe(200)
  expect((await reset(testApp, link, 'a third horse')).json()).toMatchObject({
    code: 'invalid_code',
  })
  expect((await login(testApp, username, newPassword)).statusCode).toBe(200)
})

test('an operator can’t make a code for an unknown user or a demo user', async () => {
  const testApp = await shareOperatorApp()
  const demo = await testApp.inject({ method: 'POST', url: '/api/auth/demo' })
  const { username } = demo.json<{ user: { username: string } }>().user
  expect((await operatorsCode(testApp, 'nobody')).statusCode).toBe(404)
  expect((await operatorsCode(testApp, username)).json()).toMatchObject({ code: 'demo_account' })
})

test('a refused password does not use up the code; S52 the fourth code ends the first', async () => {
  const { user, ...testApp } = await setUp()
  const codes: string[] = []
  while (codes.length < 4) {
    const made = await operatorsCode(testApp, user.username)
    codes.push(made.json<{ code: string }>().code)
  }
  const [first = '', second = '', third = '', fourth = ''] = codes
  expect((await reset(testApp, first)).json()).toMatchObject({ code: 'invalid_code' })
  expect((await reset(testApp, second, 'short')).json()).toMatchObject({ code: 'weak_password' })
  expect((await reset(testApp, second, 'sunshine')).json()).toMatchObject({
    code: 'common_password',
  })
  expect((await reset(testApp, second)).statusCode).toBe(200)
  for (const revoked of [third, fourth]) {
    expect((await reset(testApp, revoked)).json()).toMatchObject({ code: 'invalid_code' })
  }
})

test('changing a password revokes the codes that could change it again', async () => {
  const { change, user, ...testApp } = await setUp()
  const { code } = (await operatorsCode(testApp, user.username)).json<{ code: string }>()
  await change({ password: testPassword, newPassword })
  expect((await reset(testApp, code, 'a third horse')).json()).toMatchObject({
    code: 'invalid_code',
  })
})

test('a code expires', async () => {
  const { user, ...testApp } = await setUp(createOperatorApp())
  const { code } = (await operatorsCode(testApp, user.username)).json<{ code: string }>()
  testApp.clock.move(24 * 3_600_000)
  expect((await reset(testApp, code)).json()).toMatchObject({ code: 'invalid_code' })
})

test('of simultaneous uses of one code, one succeeds', async () => {
  const { user, ...testApp } = await setUp()
  const { code } = (await operatorsCode(testApp, user.username)).json<{ code: string }>()
  const answers = await Promise.all(
    ['one', 'two', 'three'].map((name) => reset(testApp, code, `the horse of ${name}`)),
  )
  expect(answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual(
    [200, 400, 400],
  )
})

test('S6 an address can try codes 60 times an hour', async () => {
  const { inject } = await shareOperatorApp()
  const tryOne = () =>
    inject({
      method: 'POST',
      url: '/api/auth/reset-password',
      payload: { code: 'A'.repeat(25), newPassword },
      remoteAddress: '192.0.2.1',
    })
  for (let time = 0; time < 60; time += 1) expect((await tryOne()).statusCode).toBe(400)
  expect((await tryOne()).statusCode).toBe(429)
})

test('S59 S38 password changes are in the audit log and the server’s log, S20 without a secret', async () => {
  const { change, user, storage, logged, ...testApp } = await setUp()
  const { username } = user
  const { code } = (await operatorsCode(testApp, username)).json<{ code: string }>()
  await reset(testApp, code)
  const { cookies } = await login(testApp, username, newPassword)
  const own = Object.fromEntries(cookies.map(({ name, value }) => [name, value]))
  const payload = { password: newPassword, newPassword: 'a third horse' }
  await testApp.inject({ method: 'POST', url: '/api/me/password', payload, cookies: own })
  await change({ password: 'wrong horse', newPassword })

  const subject = `user:${username}`
  const entries = await storage.db
    .selectFrom('audit_log')
    .selectAll()
    .where('subject', '=', subject)
    .orderBy('key')
    .execute()
  expect(entries).toMatchObject([
    { actor: `operator:${testApp.operator.username}`, action: 'reset_code.created' },
    { actor: subject, action: 'password.reset' },
    { actor: subject, action: 'password.changed' },
  ])
  const { key } = await storage.db
    .selectFrom('users')
    .select('key')
    .where('username', '=', username)
    .executeTakeFirstOrThrow()
  for (const event of ['password_reset', 'password_changed']) {
    expect(logged()).toContain(`"event":"${event}","userKey":${key},"address":"127.0.0.1"`)
  }
  const stored = JSON.stringify([
    entries,
    await storage.db.selectFrom('one_time_codes').selectAll().execute(),
  ])
  for (const secret of [code, code.replaceAll('-', ''), newPassword, 'a third horse']) {
    expect(logged()).not.toContain(secret)
    expect(stored).not.toContain(secret)
  }
})

test.each(['changed', 'reset', 'deleted'])(
  'S59 without a working audit log, no password is %s',
  async (how) => {
    const { change, user, storage, ...testApp } = await setUp(createOperatorApp())
    const { code } = (await operatorsCode(testApp, user.username)).json<{ code: string }>()
    await sql`alter table audit_log rename to lost_audit_log`.execute(storage.db)
    const remove = { url: '/api/me/delete', payload: { password: testPassword } }
    const { statusCode } = await (how === 'changed'
      ? change({ password: testPassword, newPassword })
      : how === 'reset'
        ? reset(testApp, code)
        : user.inject({ ...remove, method: 'POST' }))
    expect(statusCode).toBe(500)
    expect((await login(testApp, user.username, testPassword)).statusCode).toBe(200)
  },
)

const mailServer = await startMailServer()
afterAll(() => void mailServer.stop())
const mailOptions = { config: { mail: mailServer.config, publicUrl: 'https://sky.example' } }

async function setUpMail() {
  const testApp = await shareTestApp(mailOptions)
  const user = await testApp.signUp()
  const domain = `${user.username}.example`
  const inbox = mailsOf(mailServer, domain)
  await testApp.storage.db
    .updateTable('users')
    .set({ email: `Nova@${domain}` })
    .where('username', '=', user.username)
    .execute()
  const forget = (account: string, options = {}) =>
    testApp.inject({
      method: 'POST',
      url: '/api/auth/forgot-password',
      payload: { account },
      ...options,
    })
  return { ...testApp, inbox, user, domain, forget }
}

test.each([
  ['nova', (username: string) => username],
  [' NOVA ', (username: string) => ` ${username.toUpperCase()} `],
  ['nova@EXAMPLE.org', (_: string, domain: string) => `nova@${domain.toUpperCase()}`],
])('a lost password of %s is reset by the link in a mail', async (_, accountOf) => {
  const { inbox, forget, user, domain, ...testApp } = await setUpMail()
  const account = accountOf(user.username, domain)
  const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
  const asked = await forget(account, { headers })
  expect(asked.statusCode).toBe(202)
  expect(asked.body).toBe('')
  const [mail] = await inbox.received(1)
  expect(mail?.to).toEqual([`Nova@${domain}`])
  expect(mail?.text).not.toContain('evil.example')
  const [link = ''] = /https:\/\/sky\.example\/reset-password#\S+/.exec(mail?.text ?? '') ?? []
  expect((await reset(testApp, link)).json()).toEqual({ username: user.username })
  expect((await user.inject({ url: '/api/me' })).statusCode).toBe(401)
  const [, warning] = await inbox.received(2)
  expect(warning?.text).toContain('was changed')
})

test('opening the mailed link does not use up the code: pages are GET, and the code is in the fragment', async () => {
  const { inbox, forget, user, ...testApp } = await setUpMail()
  await forget(user.username)
  const [mail] = await inbox.received(1)
  const [link = ''] = /https:\/\/\S+/.exec(mail?.text ?? '') ?? []
  expect(new URL(link).search).toBe('')
  for (const method of ['GET', 'HEAD'] as const) {
    await testApp.inject({ method, url: '/reset-password' })
    await testApp.inject({ method, url: '/api/auth/reset-password' })
  }
  expect((await reset(testApp, link)).statusCode).toBe(200)
})

test('S4 S54 a password reset request reveals nothing about the account, which is looked up later', async () => {
  const { forget, inbox, user, domain, ...testApp } = await setUpMail()
  const { username: withoutMail } = await testApp.signUp()
  const answers = []
  for (const account of [user.username, 'nobody', withoutMail, `nova@${domain}`, `no@${domain}`]) {
    answers.push(await forget(account))
  }
  const [first] = answers
  for (const { statusCode, body, headers } of answers) {
    expect({ statusCode, body, headers: { ...headers, date: '' } }).toEqual({
      statusCode: 202,
      body: '',
      headers: { ...first?.headers, date: '' },
    })
  }
  expect(await inbox.received(2)).toHaveLength(2)
})

test('nobody can flood a mailbox: an address gets five mails an hour, and a caller has 20 calls', async () => {
  const { forget, inbox, storage, user, domain } = await setUpMail()
  const { username } = user
  const from = { remoteAddress: '192.0.2.1' }
  for (let time = 0; time < 20; time += 1) {
    expect((await forget(time % 2 === 0 ? username : `nova@${domain}`, from)).statusCode).toBe(202)
  }
  expect((await forget(username, from)).statusCode).toBe(429)
  expect(await inbox.received(5)).toHaveLength(5)
  const mailed = await storage.db
    .selectFrom('audit_log')
    .select('action')
    .where('action', '=', 'reset_code.mailed')
    .where('subject', '=', `user:${username}`)
    .execute()
  expect(mailed).toHaveLength(5)
})

test('without a mail server, password reset requests are refused alike for every account', async () => {
  const { inject, user } = await setUp()
  for (const account of [user.username, 'nobody']) {
    const response = await inject({
      method: 'POST',
      url: '/api/auth/forgot-password',
      payload: { account },
    })
    expect(response.statusCode).toBe(403)
    expect(response.json()).toEqual({ error: 'mail_off', code: 'mail_off' })
  }
})
