import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKeyValues } from './key-values.ts'
import { answeringServer } from './testing/answering-server.ts'

const kv = createKeyValues()
const broken = { status: 500, statusText: 'Server Down' }

test('keys returns the server’s list', async () => {
  const received = await answeringServer(() => ({ body: '["a","b"]' }))
  expect(await kv.keys()).toEqual(['a', 'b'])
  expect(received).toMatchObject([{ method: 'GET', url: '/_spark/kv' }])
})

test.each([
  [broken, 'Failed to fetch KV keys: Server Down'],
  [{ body: '<html>' }, 'Failed to parse KV keys response'],
  [{ body: '{"keys":[]}' }, 'KV keys response is not an array'],
])('a key list fails for the answer %j: %s', async (answer, message) => {
  await answeringServer(() => answer)
  await expect(kv.keys()).rejects.toThrow(new Error(message))
})

test.each([null, false, 0, '', [], { nested: [{ deep: true }] }])(
  'the value %j is returned as stored',
  async (value) => {
    await answeringServer(() => ({ body: JSON.stringify(value) }))
    expect(await kv.get('key')).toEqual(value)
  },
)

test('an absent key has no value', async () => {
  await answeringServer(() => ({ status: 404, statusText: 'Not Found' }))
  expect(await kv.get('key')).toBeUndefined()
})

test.each([
  [broken, 'Failed to fetch KV key: Server Down'],
  [{ status: 401, statusText: 'Unauthorized' }, 'Failed to fetch KV key: Unauthorized'],
  [{ body: '' }, 'Failed to parse KV key response'],
])('reading a value fails for the answer %j: %s', async (answer, message) => {
  await answeringServer(() => answer)
  await expect(kv.get('key')).rejects.toThrow(new Error(message))
})

test('a write sends JSON as text, and not as a default', async () => {
  const received = await answeringServer(() => ({ status: 204 }))
  await kv.set('key', { a: 1 })
  expect(received).toMatchObject([
    {
      method: 'POST',
      url: '/_spark/kv/key',
      body: '{"a":1}',
      headers: { 'content-type': 'text/plain', 'x-spark-initial': 'false' },
    },
  ])
})

test('a refused write fails with its status text', async () => {
  await answeringServer(() => broken)
  await expect(kv.set('key', 1)).rejects.toThrow(new Error('Failed to set key: Server Down'))
})

test('a value that is not JSON is refused before it is sent', async () => {
  const received = await answeringServer(() => ({ status: 204 }))
  await expect(kv.set('key', undefined)).rejects.toThrow(TypeError)
  await expect(kv.set('key', () => {})).rejects.toThrow(TypeError)
  expect(received).toEqual([])
})

test('a delete ignores the server’s answer', async () => {
  const received = await answeringServer(() => broken)
  await kv.delete('key')
  expect(received).toMatchObject([{ method: 'DELETE', url: '/_spark/kv/key' }])
})

test.each(['another page’s', null, false, 0, ''])(
  'a default is sent as such, and the key’s value %j is read back',
  async (value) => {
    const received = await answeringServer(({ method }) =>
      method === 'GET' ? { body: JSON.stringify(value) } : { status: 204 },
    )
    expect(await kv.getOrSet('key', 'mine')).toBe(value)
    expect(received.map(({ method }) => method)).toEqual(['POST', 'GET'])
    expect(received[0]).toMatchObject({ body: '"mine"', headers: { 'x-spark-initial': 'true' } })
  },
)

test('a default whose key was deleted meanwhile is the value', async () => {
  await answeringServer(({ method }) => ({ status: method === 'GET' ? 404 : 204 }))
  expect(await kv.getOrSet('key', 'mine')).toBe('mine')
})

test('a refused default fails with its status text', async () => {
  await answeringServer(() => broken)
  await expect(kv.getOrSet('key', 1)).rejects.toThrow(
    new Error('Failed to set default value for key: Server Down'),
  )
})

test.each(['', '.', '..'])(
  'the key %j is refused, because a path can’t contain it',
  async (key) => {
    const received = await answeringServer(() => ({ status: 204 }))
    await expect(kv.get(key)).rejects.toThrow(TypeError)
    await expect(kv.set(key, 1)).rejects.toThrow(TypeError)
    await expect(kv.delete(key)).rejects.toThrow(TypeError)
    expect(received).toEqual([])
  },
)

test('any other key is one path segment', async () => {
  const received = await answeringServer(() => ({ body: '1' }))
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 3 }), async (key) => {
      await kv.get(key)
      const segments = received.at(-1)?.url.split('/') ?? []
      expect(segments).toHaveLength(4)
      expect(decodeURIComponent(segments[3] ?? '')).toBe(key)
    }),
    { numRuns: 50 },
  )
})

test('a collection is requested by its name', async () => {
  const received = await answeringServer(() => ({ body: '[]' }))
  const shelf = createKeyValues({ collection: 'a shelf' })
  await shelf.keys()
  await shelf.get('key')
  expect(received.map(({ url }) => url)).toEqual([
    '/_spark/kv?collection=a+shelf',
    '/_spark/kv/key?collection=a+shelf',
  ])
})
