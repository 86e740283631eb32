import type { ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listen } from '../../test/listen.ts'
import { answerMaxBytes } from './ask-llm.ts'
import { apiKey, completion, llmTestApp, startUpstream } from './testing/llm-test-app.ts'

const failure = {
  error: 'The language model gave no usable answer. Try again in a moment.',
  code: 'llm_failed',
}
const upstreamSecret = 'upstream-b0dy'

function status(code: number, headers: Readonly<Record<string, string>> = {}) {
  return (response: ServerResponse) => {
    response.writeHead(code, { 'retry-after': '7', 'set-cookie': 'a=b', ...headers })
    response.end(JSON.stringify({ error: { message: `${upstreamSecret} ${apiKey}` } }))
  }
}

function body(text: string | Buffer, headers: Readonly<Record<string, string>> = {}) {
  return (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers })
    response.end(text)
  }
}

describe('what the service says', () => {
  test.each([
    ['long', 'é'.repeat(answerMaxBytes / 4)],
    ['null', null],
    ['empty', ''],
  ])('may be %s', async (_, content) => {
    const { ask } = await llmTestApp(await startUpstream(completion(content)))
    const response = await ask()
    expect(response.statusCode).toBe(200)
    expect(response.body === JSON.stringify({ choices: [{ message: { content } }] })).toBe(true)
  })

  test('may have several choices, which keep their order', async () => {
    const choices = ['a', 'b'].map((content) => ({ message: { content } }))
    const { ask } = await llmTestApp(await startUpstream(body(JSON.stringify({ choices }))))
    expect((await ask()).json()).toEqual({ choices })
  })

  test.each([
    ['nothing of', undefined],
    ['null for', null],
    ['an empty', {}],
    ['an odd', { total_tokens: 'many' }],
    ['a negative', { total_tokens: -1 }],
    ['half a', { total_tokens: 1.5 }],
  ])('with %s count of tokens is still an answer', async (_, usage) => {
    const { ask } = await llmTestApp(await startUpstream(completion('Hello', usage)))
    expect((await ask()).statusCode).toBe(200)
  })

  test.each([
    ['401', status(401), 'the service answered 401'],
    ['404', status(404), 'the service answered 404'],
    ['429', status(429), 'the service answered 429'],
    ['500', status(500), 'the service answered 500'],
    ['503', status(503), 'the service answered 503'],
    ['201', status(201), 'the service answered 201'],
    ['no JSON', body(`<p>${upstreamSecret}`), 'the answer is not JSON'],
    ['nothing', body(''), 'the answer is not JSON'],
    ['a stream', body(`data: {"choices":[]}\n\n`), 'the answer is not JSON'],
    ['an error as 200', body(`{"error":"${upstreamSecret}"}`), 'the answer is no chat completion'],
    ['no choice', body('{"choices":[]}'), 'the answer is no chat completion'],
    ['a choice without text', body('{"choices":[{}]}'), 'the answer is no chat completion'],
    ['null', body('null'), 'the answer is no chat completion'],
    [
      'one byte over the cap',
      body(`"${'x'.repeat(answerMaxBytes - 1)}"`),
      `more than ${answerMaxBytes} bytes came`,
    ],
    [
      'a small packet that grows over the cap',
      body(gzipSync(Buffer.alloc(20 * answerMaxBytes)), { 'content-encoding': 'gzip' }),
      `more than ${answerMaxBytes} bytes came`,
    ],
    [
      'a packing that is broken',
      body(upstreamSecret, { 'content-encoding': 'gzip' }),
      'the connection failed',
    ],
  ])(
    'S35 %s is 502 with a sentence, and the reason in the log alone',
    async (_, answer, reason) => {
      const { ask, logged } = await llmTestApp(await startUpstream(answer))
      const response = await ask()
      expect(response.statusCode).toBe(502)
      expect(response.json()).toEqual(failure)
      expect(response.headers).not.toHaveProperty('retry-after')
      expect(response.headers).not.toHaveProperty('set-cookie')
      expect(logged()).toContain(reason)
      for (const secret of [apiKey, upstreamSecret, 'Why?']) expect(logged()).not.toContain(secret)
    },
  )

  test.each([301, 302, 303, 307, 308])('S35 the redirect %i is never followed', async (code) => {
    const elsewhere = await startUpstream()
    const location = `${elsewhere.baseUrl}/chat/completions`
    const upstream = await startUpstream(status(code, { location }))
    const { ask, logged } = await llmTestApp(upstream)
    const response = await ask()
    expect(response.statusCode).toBe(502)
    expect(response.json()).toEqual(failure)
    expect(response.headers).not.toHaveProperty('location')
    expect(logged()).toContain(`the service answered ${code}`)
    expect(upstream.calls).toHaveLength(1)
    expect(elsewhere.calls).toEqual([])
  })

  test.each<[string, (response: ServerResponse) => void]>([
    ['nothing at all', () => {}],
    ['a head', (response) => response.writeHead(200).flushHeaders()],
    ['the start of an answer', (response) => response.writeHead(200).write('{"choices":')],
  ])('S35 %s and then silence ends at the time-out', async (_, answer) => {
    const closed = Promise.withResolvers<void>()
    const upstream = await startUpstream((response) => {
      response.once('close', () => closed.resolve())
      answer(response)
    })
    const { ask, logged } = await llmTestApp({ ...upstream, timeoutMs: 50 })
    const response = await ask()
    expect(response.statusCode).toBe(502)
    expect(response.json()).toEqual(failure)
    expect(logged()).toContain('no answer within 50 ms')
    await closed.promise
  })

  test('S35 sent drop by drop does not postpone the time-out', async () => {
    const closed = Promise.withResolvers<void>()
    const upstream = await startUpstream((response) => {
      const drops = setInterval(() => response.write(' '), 5)
      response.once('close', () => {
        clearInterval(drops)
        closed.resolve()
      })
    })
    const { ask, logged } = await llmTestApp({ ...upstream, timeoutMs: 50 })
    expect((await ask()).statusCode).toBe(502)
    expect(logged()).toContain('no answer within 50 ms')
    await closed.promise
  })

  test('S35 without end is cut at the cap', async () => {
    const closed = Promise.withResolvers<void>()
    const upstream = await startUpstream((response) => {
      const chunk = ' '.repeat(64 * 1024)
      const pour = () => {
        while (!response.destroyed && response.write(chunk));
      }
      response.on('drain', pour)
      response.once('close', () => closed.resolve())
      pour()
    })
    const { ask } = await llmTestApp(upstream)
    expect((await ask()).statusCode).toBe(502)
    await closed.promise
  })

  test.each<[string, (response: ServerResponse) => void]>([
    ['before it answers', (response) => response.destroy()],
    [
      'in the middle of its answer',
      (response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{"choices":', () => {
          response.destroy()
        })
      },
    ],
  ])('a connection that it cuts %s is 502', async (_, answer) => {
    const { ask, logged } = await llmTestApp(await startUpstream(answer))
    const response = await ask()
    expect(response.statusCode).toBe(502)
    expect(response.json()).toEqual(failure)
    expect(logged()).toContain('the connection failed')
  })

  test('in a protocol that is not HTTP is 502, and stays out of the log', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy())
      socket.once('data', () => socket.end(`${upstreamSecret}\r\n\r\n`))
    })
    onTestFinished(() => void server.close())
    const { ask, logged } = await llmTestApp({ baseUrl: await listen(server) })
    expect((await ask()).statusCode).toBe(502)
    expect(logged()).toContain('the connection failed')
    expect(logged()).not.toContain(upstreamSecret)
  })

  test('a service that is not there is 502', async () => {
    const server = createServer()
    const baseUrl = await listen(server)
    server.close()
    const { ask, logged } = await llmTestApp({ baseUrl })
    const response = await ask()
    expect(response.statusCode).toBe(502)
    expect(response.json()).toEqual(failure)
    expect(logged()).toContain('the connection failed')
    expect(logged()).not.toContain(apiKey)
  })
})
