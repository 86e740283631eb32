import { defineRoute } from '@astropelago/contract/route'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import * as v from 'valibot'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ApiError } from './api-error.ts'
import { call } from './call.ts'
import { ConnectionError, fetchAnswer, routeUrl } from './fetch-answer.ts'

const rename = defineRoute({
  method: 'PATCH',
  path: '/api/ships/:id',
  summary: 'Rename a ship',
  tag: 'Ships',
  access: 'user',
  params: v.strictObject({ id: v.string() }),
  query: v.strictObject({ fleet: v.string() }),
  body: v.strictObject({ name: v.string() }),
  answers: { 200: v.object({ name: v.string() }), 204: null },
  errors: ['invalid_input'],
})

const list = defineRoute({
  method: 'GET',
  path: '/api/ships',
  summary: 'All ships',
  tag: 'Ships',
  access: 'anyone',
  answers: { 200: v.array(v.string()) },
  errors: [],
})

/** A real server on a free port instead of the page's own. It records calls in `requests`. */
async function startServer(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const requests: { line: string; type: string | undefined; body: string }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      requests.push({
        line: `${request.method} ${request.url}`,
        type: request.headers['content-type'],
        body: Buffer.concat(chunks).toString(),
      })
      answer(request, response)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  const { port } = address
  const fetchFromPage = globalThis.fetch
  vi.stubGlobal('fetch', (path: string, init: RequestInit) =>
    fetchFromPage(`http://127.0.0.1:${port}${path}`, init),
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  return { requests }
}

function answering(status: number, body: string) {
  return startServer((_, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(body)
  })
}

const renameOptions = { params: { id: '7' }, query: { fleet: 'north' }, body: { name: 'Argo' } }

test('parameters and query values are encoded', () => {
  const url = routeUrl(rename, { params: { id: '../a b' }, query: { fleet: 'ü&x=1' } })
  expect(url).toBe('/api/ships/..%2Fa%20b?fleet=%C3%BC%26x%3D1')
})

test('a call sends method, path, query and JSON body, and resolves with the parsed answer', async () => {
  const { requests } = await answering(200, '{"name":"Argo","added":"later"}')
  expect(await call(rename, renameOptions)).toEqual({ name: 'Argo' })
  expect(requests).toEqual([
    { line: 'PATCH /api/ships/7?fleet=north', type: 'application/json', body: '{"name":"Argo"}' },
  ])
})

test('a call without a body sends no content type', async () => {
  const { requests } = await answering(200, '["Argo"]')
  expect(await call(list)).toEqual(['Argo'])
  expect(requests).toEqual([{ line: 'GET /api/ships', type: undefined, body: '' }])
})

test('an answer without a body resolves with undefined', async () => {
  await startServer((_, response) => response.writeHead(204).end())
  expect(await call(rename, renameOptions)).toBeUndefined()
})

test('a refusal rejects with its status, code, sentence and fields', async () => {
  await answering(
    400,
    '{"error":"Some details can’t be used.","code":"invalid_device","fields":{"lat":"Too far."}}',
  )
  const error = await call(rename, renameOptions).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({
    status: 400,
    code: 'invalid_device',
    sentence: 'Some details can’t be used.',
    error: 'Some details can’t be used.',
    fields: { lat: 'Too far.' },
  })
})

test.each([
  ['The island is under water.', 'no_code'],
  ['rate_limited', 'rate_limited'],
])('a refusal without a code shows its error: %s', async (text, code) => {
  await answering(503, JSON.stringify({ error: text }))
  const error = await call(list).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ status: 503, code, sentence: text, error: text })
})

test('a successful answer that violates the contract rejects with the reason as its cause', async () => {
  await answering(200, '{"ships":[]}')
  const error = await call(list).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: 200, code: 'server_error', cause: { name: 'ValiError' } })
})

test('no answer rejects with ConnectionError', async () => {
  await startServer((request) => request.socket.destroy())
  await expect(call(list)).rejects.toBeInstanceOf(ConnectionError)
})

test('an answer that breaks off rejects with ConnectionError', async () => {
  await startServer((request, response) => {
    response.writeHead(200, { 'Content-Length': '100' }).write('["Ar')
    request.socket.end()
  })
  await expect(call(list)).rejects.toBeInstanceOf(ConnectionError)
})

test('an aborted call rejects with AbortError', async () => {
  const abort = new AbortController()
  await startServer(() => abort.abort())
  await expect(call(list, { signal: abort.signal })).rejects.toMatchObject({ name: 'AbortError' })
})

test('30 s without an answer count as none', async () => {
  const silence = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(silence.signal)
  onTestFinished(() => timeout.mockRestore())
  await startServer((_, response) => {
    response.writeHead(200).write('["Ar')
    silence.abort(new DOMException('too long', 'TimeoutError'))
  })
  await expect(call(list)).rejects.toMatchObject({
    name: 'ConnectionError',
    cause: { name: 'TimeoutError' },
  })
  expect(timeout).toHaveBeenCalledWith(30_000)
})

test('a known body is not sent again, and the headers can be requested alone', async () => {
  const { requests } = await startServer(({ method, headers }, response) => {
    const isKnown = headers['if-none-match'] === '"e-1"'
    response.writeHead(isKnown ? 304 : 200, { ETag: '"e-1"' })
    response.end(method === 'HEAD' || isKnown ? undefined : '["Argo"]')
  })
  const first = await fetchAnswer(list)
  const etag = first.headers.get('etag')
  expect(first).toMatchObject({ status: 200, body: ['Argo'] })
  expect(await fetchAnswer(list, { knownEtag: etag })).toMatchObject({
    status: 304,
    body: undefined,
  })
  const head = await fetchAnswer(list, { isHead: true })
  expect(head.headers.get('etag')).toBe('"e-1"')
  expect(requests.at(-1)?.line).toBe('HEAD /api/ships')
})
