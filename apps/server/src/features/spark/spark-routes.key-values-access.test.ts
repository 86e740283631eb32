import { entriesPerUser, entryBytesPerUser, entryValueMaxBytes } from '@astropelago/contract/limits'
import { describe, expect, test } from 'vitest'
import { createTestApp } from '../../test/create-test-app.ts'
import { makeWebDir } from '../../test/make-web-dir.ts'
import {
  fillStore,
  jsonOf,
  keyValuesTestApp,
  testKeyValues,
  textHeaders,
} from './testing/test-key-values.ts'

describe('access', () => {
  test('S23 a stranger sees, changes and deletes nothing of another’s keys', async () => {
    const { signUp, set, get, list } = await keyValuesTestApp()
    const stranger = testKeyValues(await signUp())
    await set('key', '"mine"')
    expect(await stranger.list()).toEqual([])
    expect((await stranger.get('key')).statusCode).toBe(404)
    expect((await stranger.get('key')).body).toBe((await stranger.get('never')).body)
    await stranger.remove('key')
    await stranger.setDefault('key', '"theirs"')
    expect((await get('key')).body).toBe('"mine"')
    expect((await stranger.get('key')).body).toBe('"theirs"')
    expect(await list()).toEqual(['key'])
  })

  test('S47 S23 S30 signed out, every call is 401 before anything is read, and is not stored', async () => {
    const { inject } = await keyValuesTestApp()
    const { get, set, setDefault, remove } = testKeyValues({ inject })
    const answers = [
      await inject({ url: '/_spark/kv' }),
      await get('key'),
      await set('key', '1'),
      await setDefault('key', 'no JSON'),
      await set('key', '1', { headers: { 'content-type': 'application/json' } }),
      await set('x'.repeat(600), jsonOf(entryValueMaxBytes + 1)),
      await remove('key'),
    ]
    for (const { statusCode, headers, json } of answers) {
      expect(statusCode).toBe(401)
      expect(json()).toMatchObject({ code: 'signed_out' })
      expect(headers['cache-control']).toBe('no-store')
    }
  })

  test.each([
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site', origin: 'http://localhost:3000' }],
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
  ])('S16 S15 text that another site’s page sends with %j changes nothing', async (headers) => {
    const { owner, get, set } = await keyValuesTestApp()
    await set('key', '"mine"')
    const answers = [
      await set('key', '"theirs"', { headers }),
      await owner.inject({ method: 'DELETE', url: '/_spark/kv/key', headers }),
    ]
    for (const { statusCode, json } of answers) {
      expect(statusCode).toBe(403)
      expect(json()).toMatchObject({ code: 'cross_site' })
    }
    expect((await get('key')).body).toBe('"mine"')
  })

  test('S15 text from the site’s own page is accepted', async () => {
    const { set } = await keyValuesTestApp()
    for (const headers of [
      { 'sec-fetch-site': 'same-origin' },
      { origin: 'http://localhost:3000' },
    ]) {
      expect((await set('key', '1', { headers })).statusCode).toBe(204)
    }
  })

  test('S30 no answer to the owner may be stored by caches', async () => {
    const { owner, get, set, setDefault, remove } = await keyValuesTestApp()
    const answers = [
      await set('key', '1'),
      await setDefault('key', '1'),
      await get('key'),
      await get('never'),
      await owner.inject({ url: '/_spark/kv' }),
      await set('key', 'no JSON'),
      await remove('key'),
    ]
    for (const { headers } of answers) expect(headers['cache-control']).toBe('no-store')
  })
})

describe('S52 S32 the quota', () => {
  test('S9 of a demo user is 100 kB', async () => {
    const { inject } = await createTestApp()
    const { cookies } = await inject({ method: 'POST', url: '/api/auth/demo' })
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const set = (key: string, bytes: number) =>
      inject({
        method: 'POST',
        url: `/_spark/kv/${key}`,
        headers: { cookie, 'content-type': 'text/plain' },
        payload: `"${'x'.repeat(bytes - 2)}"`,
      })
    expect((await set('most', 90_000)).statusCode).toBe(204)
    expect((await set('rest', 10_000)).statusCode).toBe(204)
    expect((await set('more', 10)).json()).toMatchObject({ code: 'quota_exceeded' })
  })

  test('of keys holds when a hundred writes reach it at once', async () => {
    const testApp = await keyValuesTestApp()
    const { get, set, setDefault, remove, list } = testApp
    await fillStore(
      testApp,
      Array.from({ length: entriesPerUser - 10 }, () => '1'),
    )
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        i % 2 === 0 ? set(`new ${i}`, '1') : setDefault(`new ${i}`, '1'),
      ),
    )
    const taken = answers.filter(({ statusCode }) => statusCode === 204)
    const refused = answers.filter(({ statusCode }) => statusCode === 409)
    expect([taken.length, refused.length]).toEqual([10, 90])
    expect(refused[0]?.json()).toMatchObject({ code: 'quota_exceeded' })
    expect(await list()).toHaveLength(entriesPerUser)

    // Existing entries can still be read, changed and deleted, and deleting makes room.
    expect((await get('filled 0')).body).toBe('1')
    expect((await set('filled 0', '2')).statusCode).toBe(204)
    expect((await set('more', '1')).statusCode).toBe(409)
    await remove('filled 0')
    expect((await set('more', '1')).statusCode).toBe(204)
  })

  test('of bytes holds when a hundred writes reach it at once', async () => {
    const testApp = await keyValuesTestApp()
    const { storage, owner, set } = testApp
    const room = 10 * 100
    await fillStore(testApp, [
      ...Array.from({ length: 19 }, () => jsonOf(entryValueMaxBytes)),
      jsonOf(entryBytesPerUser - 19 * entryValueMaxBytes - room),
    ])
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => set(`new ${i}`, jsonOf(100))),
    )
    const statuses = answers.map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 204)).toHaveLength(10)
    expect(statuses.filter((status) => status === 409)).toHaveLength(90)
    const { bytes } = await storage.db
      .selectFrom('key_values')
      .innerJoin('users', 'users.key', 'user_key')
      .where('username', '=', owner.username)
      .select((row) => row.fn.sum<number>('bytes').as('bytes'))
      .executeTakeFirstOrThrow()
    expect(bytes).toBe(entryBytesPerUser)
    expect((await set('new', '1')).statusCode).toBe(409)
  })

  test('of one user is not another’s', async () => {
    const testApp = await keyValuesTestApp()
    await fillStore(
      testApp,
      Array.from({ length: entriesPerUser }, () => '1'),
    )
    const stranger = testKeyValues(await testApp.signUp())
    expect((await testApp.set('new', '1')).statusCode).toBe(409)
    expect((await stranger.set('new', '1')).statusCode).toBe(204)
  })
})

test.each(['/_spark', '/_spark/', '/_spark/kv/a/b', '/_spark/nothing', '/_spark/user/me'])(
  'the unknown path %s is 404 as JSON, for every caller and method',
  async (url) => {
    const { inject, signUp } = await createTestApp({ webDir: await makeWebDir() })
    const owner = await signUp()
    const answers = [
      await inject({ url, headers: { accept: 'text/html', 'sec-fetch-mode': 'navigate' } }),
      await owner.inject({ url }),
      await owner.inject({ method: 'POST', url, payload: '1', headers: textHeaders }),
      await owner.inject({ method: 'DELETE', url }),
      await owner.inject({ method: 'PATCH', url, payload: {} }),
    ]
    for (const { statusCode, headers, json } of answers) {
      expect(statusCode).toBe(404)
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
      expect(json()).toMatchObject({ code: 'not_found' })
    }
  },
)
