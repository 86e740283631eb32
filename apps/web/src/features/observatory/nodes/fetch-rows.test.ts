import { afterEach, expect, test, vi } from 'vitest'
import { fetchRows } from './fetch-rows.ts'

afterEach(() => vi.unstubAllGlobals())

/** Answers the list's route and returns the mock, to inspect the request. */
function answerList(answer: Response) {
  const fetch = vi.fn<typeof globalThis.fetch>(() => Promise.resolve(answer))
  vi.stubGlobal('fetch', fetch)
  return fetch
}

test('the rows come unchanged, with the total and the ETag', async () => {
  answerList(Response.json([1, 'two'], { headers: { 'x-total-count': '5', etag: '"a"' } }))
  const rows = [1, 'two']
  expect(await fetchRows(null)).toEqual({ rows, size: { listed: 2, total: 5 }, etag: '"a"' })
})

test('the request has no cookies, and an unchanged list is undefined', async () => {
  const fetch = answerList(new Response(null, { status: 304 }))
  expect(await fetchRows('"a"')).toBeUndefined()
  const [, init] = fetch.mock.calls[0] ?? []
  expect(init?.credentials).toBe('omit')
  expect(new Headers(init?.headers).get('if-none-match')).toBe('"a"')
})

test.each([
  ['refused', Response.json([], { status: 503 })],
  ['no list', Response.json({ devices: [] })],
  ['no JSON', new Response('<html>')],
])('an answer that is %s counts as failed', async (_, answer) => {
  answerList(answer)
  await expect(fetchRows(null)).rejects.toThrow('The list')
})
