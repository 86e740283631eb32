import { invitationsPerIsland } from '@astropelago/contract/limits'
import { expect, test } from 'vitest'
import {
  createTestInvitation,
  joinTestIsland,
  makeTestIsland,
  publishTestIsland,
  viewIsland,
} from '../../../test/api-islands.ts'
import { createOperatorApp, shareOperatorApp } from '../../../test/operator-app.ts'
import type { TestBrowser } from '../../../test/create-test-app.ts'

const dayMs = 86_400_000

function post(by: Pick<TestBrowser, 'inject'>, path: string, code: string) {
  return by.inject({ method: 'POST', url: `/api/invitations/${path}`, payload: { code } })
}

async function setUp(open: () => ReturnType<typeof shareOperatorApp> = shareOperatorApp) {
  const testApp = await open()
  const { inject, signUp } = testApp
  const [host, ada, bob] = [await signUp(), await signUp(), await signUp()]
  const to = { access: 'invited', isListed: false } as const
  const island = await publishTestIsland(host, to, { rules: 'Be kind.' })
  const invitationsUrl = `/api/islands/${island.id}/invitations`
  return {
    ...testApp,
    host,
    ada,
    bob,
    island,
    invitationsUrl,
    invite: (details: object = {}) => createTestInvitation(host, island.id, { ...details }),
    read: (code: string, by: Pick<TestBrowser, 'inject'> = { inject }) => post(by, 'read', code),
    accept: (by: TestBrowser, code: string) => post(by, 'accept', code),
    list: async () => (await host.inject({ url: invitationsUrl })).json(),
  }
}

test('an invitation is a link that is shown once; its holder sees where it leads and gets in', async () => {
  const { ada, bob, island, clock, invite, read, accept, list } = await setUp()
  const { code, link, ...made } = await invite({ note: ' For the\u202E crew ' })
  expect(made).toEqual({
    id: expect.any(String),
    note: 'For the crew',
    maxUses: 1,
    uses: 0,
    createdAt: new Date(clock.now()).toISOString(),
    expiresAt: new Date(clock.now() + 7 * dayMs).toISOString(),
  })
  expect(link).toBe(`http://localhost:3000/invitation#${code}`)
  expect(await list()).toEqual([made])
  expect(await viewIsland(ada, island.slug)).toBeUndefined()

  const seen = await read(link)
  const { slug, name } = island
  expect(seen.json()).toMatchObject({ slug, name, access: 'invited', rules: 'Be kind.' })
  const accepted = await accept(ada, code.toLowerCase().replaceAll('-', ' '))
  expect(accepted.json()).toEqual({ slug: island.slug })
  expect(await viewIsland(ada, island.slug)).toMatchObject({ role: 'member', mayEnter: true })
  expect(await list()).toMatchObject([{ uses: 1 }])

  expect((await accept(bob, code)).json()).toMatchObject({ code: 'invalid_invitation' })
  expect((await read(code, bob)).json()).toMatchObject({ code: 'invalid_invitation' })
})

test('it leads members to the island without a use, even if it is used up or expired', async () => {
  const app = await setUp(createOperatorApp)
  const { host, ada, island, clock, invite, accept, read, list } = app
  const { code } = await invite({ uses: 2 })
  await accept(ada, code)
  clock.move(8 * dayMs)
  for (const by of [ada, host]) {
    expect((await accept(by, code)).json()).toEqual({ slug: island.slug })
    expect((await read(code, by)).statusCode).toBe(200)
  }
  expect(await list()).toMatchObject([{ uses: 1 }])
})

test('S54 one that is revoked, expired, of a draft or hidden island, or held by a blocked user is like a missing one', async () => {
  const app = await setUp(createOperatorApp)
  const { host, ada, bob, operator, island, clock, invite, accept, read } = app
  const missing = await accept(ada, '0'.repeat(25))
  expect(missing.statusCode).toBe(404)
  const isMissing = async (code: string) => {
    for (const answer of [await accept(ada, code), await read(code, ada)]) {
      expect(answer.body).toBe(missing.body)
    }
  }
  await isMissing('nothing like a code')

  const revoked = await invite()
  const url = `/api/islands/invitations/${revoked.id}`
  expect((await bob.inject({ method: 'DELETE', url })).statusCode).toBe(404)
  expect((await host.inject({ method: 'DELETE', url })).statusCode).toBe(204)
  expect((await host.inject({ method: 'DELETE', url })).statusCode).toBe(404)
  await isMissing(revoked.code)

  const draft = await makeTestIsland(host)
  await isMissing((await createTestInvitation(host, draft.id)).code)

  const { code } = await invite({ days: 1 })
  const hidden = `/api/operator/hidden/island/${island.id}`
  await operator.inject({ method: 'POST', url: hidden, payload: { reason: 'Rude' } })
  await isMissing(code)
  await operator.inject({ method: 'DELETE', url: hidden })

  await host.inject({ method: 'POST', url: `/api/islands/${island.id}/blocks/${ada.username}` })
  await isMissing(code)
  expect((await read(code, bob)).statusCode).toBe(200)
  await host.inject({ method: 'DELETE', url: `/api/islands/${island.id}/blocks/${ada.username}` })
  clock.move(dayMs)
  await isMissing(code)
})

test('S9 demo accounts can’t use invitations', async () => {
  const { inject, island, invite } = await setUp()
  const { code } = await invite()
  const { cookies } = await inject({ method: 'POST', url: '/api/auth/demo' })
  const demo = Object.fromEntries(cookies.map(({ name, value }) => [name, value]))
  for (const [url, payload] of [
    ['/api/invitations/accept', { code }],
    [`/api/islands/${island.id}/join`, {}],
  ] as const) {
    const refused = await inject({ method: 'POST', url, payload, cookies: demo })
    expect(refused.json()).toMatchObject({ code: 'demo_account' })
  }
})

test('S9 S52 an island’s usable invitations are limited; demo accounts can’t make any', async () => {
  const { host, inject, invite, invitationsUrl } = await setUp()
  for (let made = 0; made < invitationsPerIsland; made += 1) await invite()
  const more = { method: 'POST', url: invitationsUrl, payload: {} } as const
  expect((await host.inject(more)).json()).toMatchObject({ code: 'invitation_limit' })
  const { cookies } = await inject({ method: 'POST', url: '/api/auth/demo' })
  const demo = Object.fromEntries(cookies.map(({ name, value }) => [name, value]))
  const refused = await inject({ ...more, cookies: demo })
  expect(refused.json()).toMatchObject({ code: 'demo_account' })
})

test.each([
  ['no use', { uses: 0 }],
  ['too many uses', { uses: 201 }],
  ['too many days', { days: 366 }],
  ['half a day', { days: 0.5 }],
  ['a note in lines', { note: 'a\nb' }],
  ['something else', { access: 'public' }],
])('%s is refused', async (_, payload) => {
  const { host, invitationsUrl } = await setUp()
  const response = await host.inject({ method: 'POST', url: invitationsUrl, payload })
  expect(response.json()).toMatchObject({ code: 'invalid_input' })
})

test('a user who asked and then accepts an invitation waits no more', async () => {
  const { host, ada, island, invite, accept } = await setUp()
  const payload = { access: 'invited', isListed: true }
  await host.inject({ method: 'POST', url: `/api/islands/${island.id}/publish`, payload })
  expect(await joinTestIsland(ada, island.id)).toBe('asked')
  await accept(ada, (await invite()).code)
  const requests = await host.inject({ url: `/api/islands/${island.id}/requests` })
  expect(requests.json()).toEqual([])
})
