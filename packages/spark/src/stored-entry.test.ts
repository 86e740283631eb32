import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { storedEntry } from './stored-entry.ts'
import { answeringServer } from './testing/answering-server.ts'

/** A server that stores one value, and a new entry for its key. */
async function setUp(stored?: string) {
  let value = stored
  const received = await answeringServer(({ method, headers, body }) => {
    if (method === 'GET') return value === undefined ? { status: 404 } : { body: value }
    if (method === 'DELETE') value = undefined
    else if (headers['x-spark-initial'] !== 'true' || value === undefined) value = body
    return { status: 204 }
  })
  const key = randomUUID()
  return { key, entry: storedEntry(key, undefined), received, stored: () => value }
}

test('the first subscriber loads the entry for all of them', async () => {
  const { key, entry, received } = await setUp('"far"')
  const listeners = [vi.fn<() => void>(), vi.fn<() => void>()]
  for (const listener of listeners) storedEntry(key, undefined).subscribe(listener, 'near')
  await vi.waitFor(() => expect(entry.read()).toBe('far'))
  for (const listener of listeners) expect(listener).toHaveBeenCalledOnce()
  expect(received.map(({ method }) => method)).toEqual(['POST', 'GET'])
})

test('the initial value is written if the key is absent', async () => {
  const { entry, stored } = await setUp()
  entry.subscribe(() => {}, 'near')
  await vi.waitFor(() => expect(entry.read()).toBe('near'))
  expect(stored()).toBe('"near"')
})

test('changes show at once and are stored in order', async () => {
  const { entry, stored, received } = await setUp('0')
  for (const value of [1, 2, 3]) entry.set(value)
  expect(entry.read()).toBe(3)
  await vi.waitFor(() => expect(received.map(({ body }) => body)).toEqual(['1', '2', '3']))
  await vi.waitFor(() => expect(stored()).toBe('3'))
})

test('a change is sent after the previous one is stored', async () => {
  const stored = Promise.withResolvers<void>()
  const received = await answeringServer(async () => {
    await stored.promise
    return { status: 204 }
  })
  const fetching = vi.spyOn(globalThis, 'fetch')
  const entry = storedEntry(randomUUID(), undefined)
  entry.set(1)
  entry.set(2)
  await vi.waitFor(() => expect(received).not.toEqual([]))
  expect(fetching).toHaveBeenCalledOnce()
  stored.resolve()
  await vi.waitFor(() => expect(received.map(({ body }) => body)).toEqual(['1', '2']))
})

test('a value that was requested before a change does not undo it', async () => {
  const { entry, received } = await setUp('"old"')
  entry.subscribe(() => {}, 'near')
  entry.set('new')
  await vi.waitFor(() => expect(received).toHaveLength(3))
  await new Promise((resolve) => setImmediate(resolve))
  expect(entry.read()).toBe('new')
})

test('a change that can’t be stored stays on the page, and later changes are sent', async () => {
  const answers = [{ status: 500 }, { status: 204 }]
  const received = await answeringServer(() => answers.shift() ?? {})
  const entry = storedEntry(randomUUID(), undefined)
  entry.set('kept')
  entry.set('stored')
  await vi.waitFor(() => expect(received).toHaveLength(2))
  expect(entry.read()).toBe('stored')
})

test('a failed load is retried for the next subscriber', async () => {
  const answers = [{ status: 500 }, { status: 204 }]
  const received = await answeringServer(() => answers.shift() ?? { body: '"far"' })
  const entry = storedEntry(randomUUID(), undefined)
  entry.subscribe(() => {}, 'near')
  await vi.waitFor(() => expect(received).toHaveLength(1))
  await vi.waitFor(() => {
    entry.subscribe(() => {}, 'near')
    expect(received.length).toBeGreaterThan(1)
  })
  await vi.waitFor(() => expect(entry.read()).toBe('far'))
})

test('a removed value is gone on the page and on the server', async () => {
  const { entry, stored } = await setUp('"far"')
  entry.subscribe(() => {}, 'near')
  await vi.waitFor(() => expect(entry.read()).toBe('far'))
  entry.remove()
  expect(entry.read()).toBeUndefined()
  await vi.waitFor(() => expect(stored()).toBeUndefined())
})
