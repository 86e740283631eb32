import { randomUUID } from 'node:crypto'
import type { Invite } from '@astropelago/contract/invites'
import { expect, test } from 'vitest'
import { createTestApp, shareTestApp, type TestApp } from '../../test/create-test-app.ts'

const password = 'correct horse battery'
const operators = new Set<string>()
const byInvite = {
  config: { registration: 'invite', operators, publicUrl: 'https://sky.example' },
} as const
const newName = () => `nova-${randomUUID().slice(0, 8)}`

const register = ({ inject }: Pick<TestApp, 'inject'>, username: string, extra: object = {}) =>
  inject({
    method: 'POST',
    url: '/api/auth/register',
    payload: { username, password, ...extra },
  })

async function setUpInvites(made = shareTestApp(byInvite)) {
  const testApp = await made
  const operator = await testApp.signUp()
  operators.add(operator.username)
  const invite = async (payload: object = {}) =>
    (await operator.inject({ method: 'POST', url: '/api/operator/invites', payload })).json<
      Invite & { code: string; link: string }
    >()
  /** The invites of this operator. */
  const list = async () => {
    const all = (await operator.inject({ url: '/api/operator/invites' })).json<Invite[]>()
    return all.filter(({ createdBy }) => createdBy === operator.username)
  }
  return { ...testApp, operator, invite, list }
}

test.each(['open', 'invite', 'closed'] as const)(
  'the sign-in options say: registration %s',
  async (registration) => {
    const { inject } = await createTestApp({ config: { registration, demo: false } })
    expect((await inject({ url: '/api/auth/options' })).json()).toEqual({
      registration,
      isDemoOn: false,
      canSendMail: false,
    })
  },
)

test('closed registration refuses everybody, with or without an invite, before the body is read', async () => {
  const testApp = await createTestApp({ config: { registration: 'closed' } })
  for (const payload of [{ username: 'nova', password, invite: 'A'.repeat(25) }, { bad: true }]) {
    const refused = await testApp.inject({ method: 'POST', url: '/api/auth/register', payload })
    expect(refused.statusCode).toBe(403)
    expect(refused.json()).toEqual({ error: 'registration_closed', code: 'registration_closed' })
  }
})

test('open registration ignores an invite', async () => {
  const testApp = await createTestApp()
  expect((await register(testApp, 'nova', { invite: 'whatever' })).statusCode).toBe(201)
})

test('an invite admits as many users as it says, and S59 the audit log names them', async () => {
  const { invite, list, storage, operator, ...testApp } = await setUpInvites()
  const [first, second] = [newName(), newName()]
  const made = await invite({ uses: 2, days: 3, note: ' for the choir ' })
  expect(made).toMatchObject({
    note: 'for the choir',
    uses: 0,
    maxUses: 2,
    createdBy: operator.username,
    expiresAt: '2026-01-04T00:00:00.000Z',
    link: `https://sky.example/explore?signin=1&invite=${made.code}`,
  })
  expect((await register(testApp, first, { invite: made.code })).statusCode).toBe(201)
  expect((await register(testApp, second, { invite: made.code.toLowerCase() })).statusCode).toBe(
    201,
  )
  const third = await register(testApp, newName(), { invite: made.code })
  expect(third.statusCode).toBe(403)
  expect(third.json()).toEqual({ error: 'invalid_invite', code: 'invalid_invite' })
  const { code, link: _, ...shown } = made
  expect(await list()).toEqual([{ ...shown, uses: 2 }])
  const actors = [`operator:${operator.username}`, `user:${first}`, `user:${second}`]
  const entries = await storage.db
    .selectFrom('audit_log')
    .selectAll()
    .where('actor', 'in', actors)
    .orderBy('key')
    .execute()
  expect(entries).toMatchObject([
    { actor: actors[0], action: 'invite.created' },
    { actor: actors[1], action: 'invite.used', subject: `invite:${made.id}` },
    { actor: actors[2], action: 'invite.used', subject: `invite:${made.id}` },
  ])
  expect(JSON.stringify(entries)).not.toContain(code)
})

test('of simultaneous registrations with an invite for one, one succeeds', async () => {
  const { invite, ...testApp } = await setUpInvites()
  const { code } = await invite()
  const answers = await Promise.all(
    [newName(), newName(), newName(), newName()].map((name) =>
      register(testApp, name, { invite: code }),
    ),
  )
  expect(answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual(
    [201, 403, 403, 403],
  )
})

test('a taken name or a refused password does not use up an invite', async () => {
  const { invite, list, ...testApp } = await setUpInvites()
  const { code } = await invite()
  const taken = (await testApp.signUp()).username.toUpperCase()
  const name = newName()
  expect((await register(testApp, taken, { invite: code })).statusCode).toBe(409)
  expect((await register(testApp, name, { invite: code, password: 'short' })).statusCode).toBe(400)
  expect(await list()).toMatchObject([{ uses: 0 }])
  expect((await register(testApp, name, { invite: code })).statusCode).toBe(201)
})

test.each([
  ['none', {}, 'invite_required'],
  ['a blank one', { invite: ' ' }, 'invite_required'],
  ['what is no code', { invite: 'please' }, 'invalid_invite'],
  ['one that nobody made', { invite: 'A'.repeat(25) }, 'invalid_invite'],
])(
  'S54 %s as an invite reveals nothing, not even which names are taken',
  async (_, extra, code) => {
    const testApp = await setUpInvites()
    const { username: taken } = await testApp.signUp()
    for (const username of [taken, newName(), '!']) {
      const refused = await register(testApp, username, extra)
      expect(refused.statusCode).toBe(403)
      expect(refused.json()).toEqual({ error: code, code })
    }
  },
)

test('a revoked or expired invite admits nobody', async () => {
  const { invite, list, operator, ...testApp } = await setUpInvites(createTestApp(byInvite))
  const withdrawn = await invite()
  const url = `/api/operator/invites/${withdrawn.id}`
  expect((await operator.inject({ method: 'DELETE', url })).statusCode).toBe(204)
  expect((await operator.inject({ method: 'DELETE', url })).statusCode).toBe(404)
  expect((await register(testApp, 'nova', { invite: withdrawn.code })).statusCode).toBe(403)
  const late = await invite({ days: 1 })
  testApp.clock.move(86_400_000)
  expect((await register(testApp, 'nova', { invite: late.code })).statusCode).toBe(403)
  expect(await list()).toMatchObject([{ id: late.id }])
})

test.each([
  { uses: 0 },
  { uses: 1.5 },
  { uses: 1001 },
  { days: 366 },
  { days: '7' },
  { to: 'ada' },
])('an invite with %j is refused', async (payload) => {
  const { operator } = await setUpInvites()
  const made = await operator.inject({ method: 'POST', url: '/api/operator/invites', payload })
  expect(made.statusCode).toBe(400)
})
