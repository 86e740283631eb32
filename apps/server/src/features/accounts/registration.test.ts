import type { Invite } from '@astropelago/contract/invites'
import { expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../test/create-test-app.ts'

const password = 'correct horse battery'
const operators = new Set(['mission-control'])

const register = ({ inject }: Pick<TestApp, 'inject'>, username: string, extra: object = {}) =>
  inject({
    method: 'POST',
    url: '/api/auth/register',
    payload: { username, password, ...extra },
  })

async function setUpInvites() {
  const testApp = await createTestApp({
    config: { registration: 'invite', operators, publicUrl: 'https://sky.example' },
  })
  const operator = await testApp.signUp('mission-control')
  const invite = async (payload: object = {}) =>
    (await operator.inject({ method: 'POST', url: '/api/operator/invites', payload })).json<
      Invite & { code: string; link: string }
    >()
  const list = async () =>
    (await operator.inject({ url: '/api/operator/invites' })).json<Invite[]>()
  return { ...testApp, operator, invite, list }
}

test.each(['open', 'invite', 'closed'] as const)(
  'what the sign-in dialog can offer is told: registration %s',
  async (registration) => {
    const { inject } = await createTestApp({ config: { registration, demo: false } })
    expect((await inject({ url: '/api/auth/options' })).json()).toEqual({
      registration,
      isDemoOn: false,
      canSendMail: false,
    })
  },
)

test('where registration is closed nobody registers, invite or not, and no body is read', async () => {
  const testApp = await createTestApp({ config: { registration: 'closed' } })
  for (const payload of [{ username: 'nova', password, invite: 'A'.repeat(25) }, { bad: true }]) {
    const refused = await testApp.inject({ method: 'POST', url: '/api/auth/register', payload })
    expect(refused.statusCode).toBe(403)
    expect(refused.json()).toEqual({ error: 'registration_closed', code: 'registration_closed' })
  }
})

test('where registration is open an invite is passed over', async () => {
  const testApp = await createTestApp()
  expect((await register(testApp, 'nova', { invite: 'whatever' })).statusCode).toBe(201)
})

test('an invite lets as many register as it says, and S59 who came by it is on record', async () => {
  const { invite, list, storage, ...testApp } = await setUpInvites()
  const made = await invite({ uses: 2, days: 3, note: ' for the choir ' })
  expect(made).toMatchObject({
    note: 'for the choir',
    uses: 0,
    maxUses: 2,
    createdBy: 'mission-control',
    expiresAt: '2026-01-04T00:00:00.000Z',
    link: `https://sky.example/explore?signin=1&invite=${made.code}`,
  })
  expect((await register(testApp, 'nova', { invite: made.code })).statusCode).toBe(201)
  expect((await register(testApp, 'orion', { invite: made.code.toLowerCase() })).statusCode).toBe(
    201,
  )
  const third = await register(testApp, 'lyra', { invite: made.code })
  expect(third.statusCode).toBe(403)
  expect(third.json()).toEqual({ error: 'invalid_invite', code: 'invalid_invite' })
  const { code, link: _, ...shown } = made
  expect(await list()).toEqual([{ ...shown, uses: 2 }])
  const entries = await storage.db.selectFrom('audit_log').selectAll().orderBy('key').execute()
  expect(entries).toMatchObject([
    { actor: 'operator:mission-control', action: 'invite.created' },
    { actor: 'user:nova', action: 'invite.used', subject: `invite:${made.id}` },
    { actor: 'user:orion', action: 'invite.used', subject: `invite:${made.id}` },
  ])
  expect(JSON.stringify(entries)).not.toContain(code)
})

test('of many who come at once with an invite for one, one registers', async () => {
  const { invite, ...testApp } = await setUpInvites()
  const { code } = await invite()
  const answers = await Promise.all(
    ['nova', 'orion', 'lyra', 'vega'].map((name) => register(testApp, name, { invite: code })),
  )
  expect(answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual(
    [201, 403, 403, 403],
  )
})

test('an invite is not used up by a name that is taken or a password that is refused', async () => {
  const { invite, list, ...testApp } = await setUpInvites()
  const { code } = await invite()
  await testApp.signUp('nova')
  expect((await register(testApp, 'NOVA', { invite: code })).statusCode).toBe(409)
  expect((await register(testApp, 'orion', { invite: code, password: 'short' })).statusCode).toBe(
    400,
  )
  expect(await list()).toMatchObject([{ uses: 0 }])
  expect((await register(testApp, 'orion', { invite: code })).statusCode).toBe(201)
})

test.each([
  ['none', {}, 'invite_required'],
  ['a blank one', { invite: ' ' }, 'invite_required'],
  ['what is no code', { invite: 'please' }, 'invalid_invite'],
  ['one that nobody made', { invite: 'A'.repeat(25) }, 'invalid_invite'],
])(
  'S54 with %s as invite one learns nothing, not even which names are taken',
  async (_, extra, code) => {
    const { ...testApp } = await setUpInvites()
    await testApp.signUp('nova')
    for (const username of ['nova', 'nobody', '!']) {
      const refused = await register(testApp, username, extra)
      expect(refused.statusCode).toBe(403)
      expect(refused.json()).toEqual({ error: code, code })
    }
  },
)

test('an invite that is withdrawn or over lets nobody in', async () => {
  const { invite, list, operator, ...testApp } = await setUpInvites()
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
