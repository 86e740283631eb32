import { alertIslandsPerUser } from '@astropelago/contract/limits'
import { expect, test } from 'vitest'
import { makeTestIsland, publishTestIsland } from '../../test/api-islands.ts'
import { createTestApp } from '../../test/create-test-app.ts'
import { insertIsland } from '../../test/factories.ts'

const urlOf = (id: string) => `/api/me/alerts/islands/${id}`

async function setUp() {
  const testApp = await createTestApp({})
  const [host, eve] = [await testApp.signUp('Host'), await testApp.signUp('Eve')]
  const same = {
    isOn: null,
    graceS: null,
    tellsOnline: null,
    tellsWarnings: null,
    channels: null,
  }
  return {
    ...testApp,
    db: testApp.storage.db,
    host,
    eve,
    same,
    get: (browser: typeof host, id: string) => browser.inject({ url: urlOf(id) }),
    change: (browser: typeof host, id: string, payload: object) =>
      browser.inject({ method: 'PATCH', url: urlOf(id), payload }),
    differing: async (browser: typeof host) =>
      (await browser.inject({ url: '/api/me/alerts' })).json<{ differing: object[] }>().differing,
  }
}

test('[N21] the host of an island gets alerts about it, and so do users who follow it', async () => {
  const { host, eve, same, get, change, differing } = await setUp()
  const island = await publishTestIsland(host, { access: 'public', isListed: false })
  const untouched = { rules: same, maintenance: [] }
  expect((await get(host, island.id)).json()).toEqual({ ...untouched, isOn: true })
  expect((await get(eve, island.id)).json()).toEqual({ ...untouched, isOn: false })
  const followed = await change(eve, island.id, { isOn: true, graceS: 60 })
  const rules = { ...same, isOn: true, graceS: 60 }
  expect(followed.json()).toEqual({ ...untouched, rules, isOn: true })
  const { id, slug, name } = island
  expect(await differing(eve)).toEqual([{ of: 'island', id, name, slug, rules }])
  await change(eve, island.id, { isOn: null, graceS: null })
  expect(await differing(eve)).toEqual([])
})

test('[N22] AL11 S54 a user who may no longer know of an island does not find it, nor its name among followed ones', async () => {
  const { db, host, eve, get, change, differing } = await setUp()
  const island = await publishTestIsland(host, { access: 'public', isListed: false })
  const draft = await makeTestIsland(host)
  await change(eve, island.id, { isOn: true })
  await change(host, island.id, { graceS: 60 })
  await db.updateTable('islands').set({ access: 'invited', is_listed: 0 }).execute()
  const missing = await get(eve, 'missing')
  expect(missing.statusCode).toBe(404)
  for (const { id } of [island, draft]) {
    const [read, changed] = [await get(eve, id), await change(eve, id, { isOn: null })]
    for (const answer of [read, changed]) {
      expect([answer.statusCode, answer.body]).toEqual([404, missing.body])
    }
    const planned = await eve.inject({
      method: 'POST',
      url: '/api/me/alerts/maintenance',
      payload: { until: '2026-01-02T00:00:00Z', islands: [id] },
    })
    expect([planned.statusCode, planned.body]).toEqual([404, missing.body])
  }
  expect(await differing(eve)).toEqual([])
  expect((await eve.inject({ url: '/api/me/export' })).body).not.toContain(island.id)
  expect(await differing(host)).toHaveLength(1)
  expect((await get(host, draft.id)).statusCode).toBe(200)
  // The door opens again, and Eve follows the island as before.
  await db.updateTable('islands').set({ access: 'public' }).execute()
  expect(await differing(eve)).toHaveLength(1)
})

test('AL11 maintenance is only for islands that the user may know of', async () => {
  const { host, eve } = await setUp()
  const open = { access: 'public', isListed: false } as const
  const [one, other] = [await publishTestIsland(host, open), await publishTestIsland(host, open)]
  const draft = await makeTestIsland(host)
  const plan = async (...islands: string[]) => {
    const payload = { until: '2026-01-02T00:00:00Z', islands }
    return await eve.inject({ method: 'POST', url: '/api/me/alerts/maintenance', payload })
  }
  const planned = await plan(one.id, other.id)
  expect([planned.statusCode, planned.json()]).toMatchObject([201, { islands: [one.id, other.id] }])
  expect((await plan(one.id, draft.id)).statusCode).toBe(404)
})

/** There is one more island than a user can follow. Eve follows all but three. */
async function followAllButThree({ db }: Awaited<ReturnType<typeof setUp>>) {
  const hostKey = await db
    .selectFrom('users')
    .select('key')
    .where('username', '=', 'Host')
    .executeTakeFirstOrThrow()
  const islands = await Promise.all(
    Array.from({ length: alertIslandsPerUser + 1 }, () =>
      insertIsland(db, { hostKey: hostKey.key }),
    ),
  )
  const eveKey = await db
    .selectFrom('users')
    .select('key')
    .where('username', '=', 'Eve')
    .executeTakeFirstOrThrow()
  const [first, second, third, ...others] = islands
  if (first === undefined || second === undefined || third === undefined) throw new Error('none')
  await db
    .insertInto('alert_subject_rules')
    .values(
      others.map(({ key }) => ({
        user_key: eveKey.key,
        subject: 'island' as const,
        subject_key: key,
        device_key: null,
        island_key: key,
        rules: JSON.stringify({
          isOn: true,
          graceS: null,
          tellsOnline: null,
          tellsWarnings: null,
          channels: null,
        }),
      })),
    )
    .execute()
  return { first, second, third, others }
}

test('[N24] AL12 S52 the limit of followed islands holds under simultaneous calls', async () => {
  const parts = await setUp()
  const { host, eve, change } = parts
  const { first, second, third, others } = await followAllButThree(parts)
  const answers = await Promise.all(
    [first, second, third].map(({ id }) => change(eve, id, { isOn: true })),
  )
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(2)
  expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(1)
  expect(answers.map(({ body }) => body).join()).toContain('alert_islands_limit')
  // Rules of a followed island can be changed and removed.
  const followed = others[0]?.id ?? ''
  expect((await change(eve, followed, { graceS: 60 })).statusCode).toBe(200)
  expect((await change(eve, followed, { isOn: null, graceS: null })).statusCode).toBe(200)
  const refused = [first, second, third][answers.findIndex(({ statusCode }) => statusCode === 409)]
  expect((await change(eve, refused?.id ?? '', { isOn: true })).statusCode).toBe(200)
  expect((await change(host, first.id, { graceS: 60 })).statusCode).toBe(200)
})

test('[N24] AL12 only a followed island that the user may no longer know of gives way to another one', async () => {
  const parts = await setUp()
  const { db, eve, change, differing } = parts
  const { first, second, third, others } = await followAllButThree(parts)
  const [closed, hidden] = others.map(({ id }) => id)
  if (closed === undefined || hidden === undefined) throw new Error('none')
  const follow = async ({ id }: { readonly id: string }) =>
    (await change(eve, id, { isOn: true })).statusCode
  expect([await follow(first), await follow(second)]).toEqual([200, 200])
  // A change that stores nothing does not count.
  expect((await change(eve, third.id, { isOn: null })).statusCode).toBe(200)
  expect(await follow(third)).toBe(409)
  const set = (id: string, to: { readonly access: 'invited' | 'public' }) =>
    db.updateTable('islands').set(to).where('id', '=', id).execute()
  await set(closed, { access: 'invited' })
  await set(hidden, { access: 'invited' })
  expect(await follow(third)).toBe(200)
  await set(closed, { access: 'public' })
  await set(hidden, { access: 'public' })
  const followed = await differing(eve)
  expect(followed).toHaveLength(alertIslandsPerUser)
  expect(followed).toContainEqual(expect.objectContaining({ id: third.id }))
  const kept = followed.filter((one) => 'id' in one && [closed, hidden].includes(String(one.id)))
  expect(kept).toHaveLength(1)
})
