import { request } from 'node:http'
import { ErrorBody } from '@astropelago/contract/error-body'
import {
  entryKeyMaxBytes,
  entryValueMaxBytes,
  entryValueMaxDepth,
} from '@astropelago/contract/limits'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { portOf } from '../../test/listen.ts'
import { jsonOf, keyValuesTestApp, textHeaders } from './testing/test-key-values.ts'

describe('a value', () => {
  test.each([
    ['null', 'null'],
    ['false', 'false'],
    ['0', '0'],
    ['an empty text', '""'],
    ['nested', '{"a":[{"b":{"c":[[],{},null]}}],"":"é 👩‍🚀"}'],
    ['written in an unusual way', String.raw` [1.0, 1e2, -0, "\u0061\/", 1234567890123456789]  `],
    ['an escaped NUL', String.raw`"\u0000"`],
    ['an escaped lone surrogate', String.raw`"\ud800"`],
    ['with __proto__', '{"__proto__":{"a":1},"constructor":{"prototype":{}}}'],
    ['512 KiB long', jsonOf(entryValueMaxBytes)],
    ['as deep as allowed', `${'['.repeat(entryValueMaxDepth)}${']'.repeat(entryValueMaxDepth)}`],
  ])('%s is answered as it was sent, as text', async (_, value) => {
    const { get, set } = await keyValuesTestApp()
    const written = await set('key', value)
    expect(written.statusCode).toBe(204)
    expect(written.body).toBe('')
    const read = await get('key')
    expect(read.statusCode).toBe(200)
    expect(read.body === value).toBe(true)
    expect(read.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
  })

  test.each([
    ['one byte over 512 KiB', jsonOf(entryValueMaxBytes + 1), 413, 'too_large'],
    ['no JSON', 'hello', 400, 'invalid_input'],
    ['nothing', '', 400, 'invalid_input'],
    ['white space', ' ', 400, 'invalid_input'],
    ['two values', '1 2', 400, 'invalid_input'],
    ['cut short', '{"a":', 400, 'invalid_input'],
    ['undefined', 'undefined', 400, 'invalid_input'],
    ['NaN', 'NaN', 400, 'invalid_input'],
    ['after a byte order mark', '\uFEFF1', 400, 'invalid_input'],
    ['with a raw NUL', '"\0"', 400, 'invalid_input'],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, 'invalid_input'],
    ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 400, 'invalid_input'],
    [
      'one level too deep',
      `${'['.repeat(entryValueMaxDepth + 1)}${']'.repeat(entryValueMaxDepth + 1)}`,
      400,
      'invalid_input',
    ],
    ['much too deep', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, 400, 'invalid_input'],
    ['unclosed depth', '['.repeat(500_000), 400, 'invalid_input'],
  ])('S31 %s is refused, and the stored value stays', async (_, value, status, code) => {
    const { get, set } = await keyValuesTestApp()
    await set('key', '"was"')
    const response = await set('key', value)
    expect(response.statusCode).toBe(status)
    expect(response.json()).toMatchObject({ code })
    expect((await get('key')).body).toBe('"was"')
  })

  test.each([
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'text/html',
    'text/plainer',
    'nonsense',
  ])('S16 as %s is 415', async (type) => {
    const { get, set } = await keyValuesTestApp()
    const response = await set('key', '1', { headers: { 'content-type': type } })
    expect(response.statusCode).toBe(415)
    const { code, error } = v.parse(ErrorBody, response.json())
    expect(code).toBe('unsupported_media_type')
    // Telling the caller to send JSON's content type would not help.
    expect(error).not.toContain('application/json')
    expect((await get('key')).statusCode).toBe(404)
  })

  test('S16 without a content type is 415', async () => {
    const { owner } = await keyValuesTestApp()
    const response = await owner.inject({
      method: 'POST',
      url: '/_spark/kv/key',
      payload: Buffer.from('1'),
    })
    expect(response.statusCode).toBe(415)
  })
})

describe('a key', () => {
  test.each([
    ['slashes', 'a/b//c/'],
    ['spaces', ' a b '],
    ['emoji', '👩‍🚀'],
    ['a literal %2F', 'a%2Fb'],
    ['a literal %', '%'],
    ['a literal %25', '%252F'],
    ['signs that mean something in a URL', 'a?b#c&d=e+f;g:h@i'],
    ['quotes and backslashes', `"'\\`],
    ['control characters', '\u0001\n\u007F'],
    ['three dots', '...'],
    ['a name of Object.prototype', '__proto__'],
    ['512 bytes', 'x'.repeat(entryKeyMaxBytes)],
    ['512 bytes of UTF-8', '€a'.repeat(entryKeyMaxBytes / 4)],
  ])('with %s is a key like any other', async (_, key) => {
    const { list, get, set, remove } = await keyValuesTestApp()
    expect((await set(key, '1')).statusCode).toBe(204)
    expect(await list()).toEqual([key])
    expect((await get(key)).body).toBe('1')
    expect((await remove(key)).statusCode).toBe(204)
    expect(await list()).toEqual([])
  })

  test.each([
    ['of 513 bytes', 'x'.repeat(entryKeyMaxBytes + 1)],
    ['of 513 bytes of UTF-8', `${'€a'.repeat(entryKeyMaxBytes / 4)}x`],
    ['far too long', 'x'.repeat(10_000)],
    ['with a NUL', 'a\0b'],
  ])('S31 %s is refused by every call', async (_, key) => {
    const { list, get, set, remove } = await keyValuesTestApp()
    for (const response of [await get(key), await set(key, '1'), await remove(key)]) {
      expect(response.statusCode).toBe(400)
      expect(response.json()).toMatchObject({ code: 'invalid_input', fields: { key: /key/ } })
    }
    expect(await list()).toEqual([])
  })

  test.each(['.', '..', '%2E', '%2e%2E', ''])(
    'S36 %j in the raw path is refused, and is not taken for another call',
    async (key) => {
      const { app, owner, list, set } = await keyValuesTestApp()
      await set('kept', '1')
      if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
      const port = portOf(app.server)
      const cookie = Object.entries(owner.cookies)
        .map(([name, value]) => `${name}=${value}`)
        .join('; ')
      for (const method of ['GET', 'POST', 'DELETE']) {
        const headers = { cookie, ...(method === 'POST' && textHeaders) }
        const answer = await send({ port, method, path: `/_spark/kv/${key}`, headers }, '1')
        expect([400, 404]).toContain(answer.status)
        expect(v.is(ErrorBody, JSON.parse(answer.body))).toBe(true)
      }
      expect(await list()).toEqual(['kept'])
    },
  )

  test('that is absent or deleted is 404; deleting it succeeds', async () => {
    const { get, set, remove } = await keyValuesTestApp()
    const never = await get('key')
    expect(never.statusCode).toBe(404)
    expect(never.json()).toMatchObject({ code: 'not_found' })
    await set('key', 'null')
    expect((await get('key')).body).toBe('null')
    await remove('key')
    expect((await get('key')).body).toBe(never.body)
    expect((await remove('key')).statusCode).toBe(204)
  })

  test('is deleted also by a call that claims a text body', async () => {
    const { owner, list, set } = await keyValuesTestApp()
    await set('key', '1')
    const response = await owner.inject({
      method: 'DELETE',
      url: '/_spark/kv/key',
      headers: textHeaders,
    })
    expect(response.statusCode).toBe(204)
    expect(await list()).toEqual([])
  })
})

test('the keys are listed in the order of their code points', async () => {
  const { list, set } = await keyValuesTestApp()
  expect(await list()).toEqual([])
  for (const key of ['👩‍🚀', 'b', '\uFFFD', 'B', 'é', '10', '9']) await set(key, '1')
  expect(await list()).toEqual(['10', '9', 'B', 'b', 'é', '\uFFFD', '👩‍🚀'])
})

describe('X-Spark-Initial: true', () => {
  test('sets what is absent and never overwrites; the answer is the same', async () => {
    const { get, set, setDefault, remove } = await keyValuesTestApp()
    expect((await setDefault('key', '1')).statusCode).toBe(204)
    const second = await setDefault('key', '2')
    expect(second.statusCode).toBe(204)
    expect(second.body).toBe('')
    expect((await get('key')).body).toBe('1')
    await set('key', '3')
    await setDefault('key', '4')
    expect((await get('key')).body).toBe('3')
    await remove('key')
    await setDefault('key', '5')
    expect((await get('key')).body).toBe('5')
  })

  test('under a race of 20, exactly one wins and all read the same', async () => {
    const { get, setDefault, list } = await keyValuesTestApp()
    const race = (from: number) =>
      Promise.all(
        Array.from({ length: 20 }, async (_, i) => {
          const { statusCode } = await setDefault('key', `${from + i}`)
          return { statusCode, value: (await get('key')).body }
        }),
      )
    const answers = await race(0)
    const winner = answers[0]?.value
    expect(Number(winner)).toBeLessThan(20)
    // Everybody after the race reads the same winner.
    for (const answer of [...answers, ...(await race(20))]) {
      expect(answer).toEqual({ statusCode: 204, value: winner })
    }
    expect(await list()).toEqual(['key'])
  })
})

describe('?collection=', () => {
  test('keeps a separate set of keys', async () => {
    const { list, get, set, remove } = await keyValuesTestApp()
    const games = '?collection=My.games_2-0'
    await set('key', '1')
    await set('key', '2', { search: games })
    await set('other', '3', { search: games })
    expect(await list()).toEqual(['key'])
    expect(await list(games)).toEqual(['key', 'other'])
    expect((await get('key')).body).toBe('1')
    expect((await get('key', games)).body).toBe('2')
    expect((await get('other')).statusCode).toBe(404)
    await remove('key', games)
    expect((await get('key')).body).toBe('1')
    expect(await list(games)).toEqual(['other'])
  })

  test.each([
    '?collection=',
    '?collection=a%20b',
    '?collection=a/b',
    `?collection=${'x'.repeat(65)}`,
    '?collection=a&collection=b',
    '?collections=a',
  ])('S31 %s is refused by every call', async (search) => {
    const { owner, get, set, remove } = await keyValuesTestApp()
    const answers = [
      await owner.inject({ url: `/_spark/kv${search}` }),
      await get('key', search),
      await set('key', '1', { search }),
      await remove('key', search),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400, 400])
  })
})

/** Sends a path as it is. fetch would resolve the dots in it first. */
function send(
  options: { port: number; method: string; path: string; headers: Record<string, string> },
  body: string,
): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', agent: false, ...options }, (response) => {
      let answer = ''
      response.on('data', (chunk: Buffer) => (answer += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode, body: answer }))
    })
    call.on('error', reject)
    call.end(options.method === 'POST' ? body : undefined)
  })
}
