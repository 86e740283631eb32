import { llmBodyMaxBytes, llmMessagesMax, llmTokensMax } from '@astropelago/contract/limits'
import { describe, expect, test } from 'vitest'
import { createTestApp } from '../../test/create-test-app.ts'
import { apiKey, askOverHttp, llmTestApp, question, startUpstream } from './testing/llm-test-app.ts'

describe('a question', () => {
  test('is forwarded with the fields that are specified, and answered with the choices', async () => {
    const upstream = await startUpstream()
    const { ask } = await llmTestApp(upstream)
    const body = {
      messages: [
        { role: 'system', content: 'You are a helpful assistant.' },
        { role: 'user', content: 'Où ? 👩‍🚀' },
      ],
      temperature: 1,
      top_p: 1,
      max_tokens: 1000,
      model: 'openai/gpt-4o',
      response_format: { type: 'json_object' },
    }
    const response = await ask(body)
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ choices: [{ message: { content: 'Hello' } }] })
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    })
    expect(upstream.calls).toMatchObject([{ method: 'POST', url: '/v1/chat/completions' }])
    expect(upstream.calls[0]?.body).toEqual({ ...body, model: 'llama3.2' })
  })

  test('without the optional fields is forwarded without them; the answer is still bounded', async () => {
    const upstream = await startUpstream()
    const { ask } = await llmTestApp(upstream)
    const { messages, model } = question
    expect((await ask({ messages, model })).statusCode).toBe(200)
    expect(upstream.calls[0]?.body).toEqual({ messages, model: 'llama3.2', max_tokens: 1000 })
  })

  test('S35 carries the API key to the upstream, and nothing of the browser', async () => {
    const upstream = await startUpstream()
    const { owner } = await llmTestApp(upstream)
    const response = await owner.inject({
      method: 'POST',
      url: '/_spark/llm',
      payload: question,
      headers: {
        authorization: 'Bearer browser',
        referer: 'http://localhost:3000/explore',
        'user-agent': 'Browser',
        'x-forwarded-for': '10.1.2.3',
      },
    })
    expect(response.statusCode).toBe(200)
    const sent = upstream.calls[0]?.headers
    expect(sent?.authorization).toBe(`Bearer ${apiKey}`)
    expect(sent?.['content-type']).toBe('application/json')
    expect(sent).not.toHaveProperty('cookie')
    expect(JSON.stringify(sent)).not.toMatch(/browser|explore|10\.1\.2\.3/i)
    expect(JSON.stringify([response.headers, response.body])).not.toContain(apiKey)
  })

  test('has no authorization header without an API key', async () => {
    const upstream = await startUpstream()
    const { ask } = await llmTestApp({ ...upstream, apiKey: undefined })
    expect((await ask()).statusCode).toBe(200)
    expect(upstream.calls[0]?.headers).not.toHaveProperty('authorization')
  })

  test('goes to the model that the table names; * stands for all others', async () => {
    const upstream = await startUpstream()
    const models = new Map([
      ['openai/gpt-4o', 'large'],
      ['*', 'small'],
    ])
    const { ask } = await llmTestApp({ ...upstream, models })
    for (const model of ['openai/gpt-4o', 'openai/gpt-4o-mini', '*', '__proto__']) {
      expect((await ask({ ...question, model })).statusCode).toBe(200)
    }
    const asked = upstream.calls.map(({ body }) => body)
    expect(asked).toMatchObject(['large', 'small', 'small', 'small'].map((model) => ({ model })))
  })

  test('S35 for a model that is not in the table is 400 and goes nowhere', async () => {
    const upstream = await startUpstream()
    const { ask } = await llmTestApp(upstream)
    for (const model of ['openai/gpt-4o-mini', 'llama3.2', '*', 'constructor']) {
      const response = await ask({ ...question, model })
      expect(response.statusCode).toBe(400)
      expect(response.json()).toMatchObject({
        code: 'invalid_input',
        fields: { model: 'This server does not offer that model.' },
      })
    }
    expect(upstream.calls).toEqual([])
  })

  test.each([
    ['no message', { messages: [] }],
    ['too many messages', { messages: Array(llmMessagesMax + 1).fill(question.messages[0]) }],
    ['a role of its own', { messages: [{ role: 'tool', content: 'Hi' }] }],
    ['content that is no text', { messages: [{ role: 'user', content: [{ type: 'text' }] }] }],
    ['a name in a message', { messages: [{ role: 'user', content: 'Hi', name: 'x' }] }],
    ['a temperature below 0', { temperature: -0.1 }],
    ['a temperature above 2', { temperature: 2.1 }],
    ['a top_p above 1', { top_p: 1.1 }],
    ['no room for an answer', { max_tokens: 0 }],
    ['half a token', { max_tokens: 1.5 }],
    ['too long an answer', { max_tokens: llmTokensMax + 1 }],
    ['a number as text', { max_tokens: '7' }],
    ['an empty model', { model: '' }],
    ['a long model', { model: 'x'.repeat(129) }],
    ['a format of its own', { response_format: { type: 'json_schema' } }],
    ['a stream', { stream: true }],
    ['tools', { tools: [] }],
    ['several answers', { n: 50 }],
  ])('S24 S31 with %s is 400 and goes nowhere', async (_, change) => {
    const upstream = await startUpstream()
    const { ask } = await llmTestApp(upstream)
    const response = await ask({ ...question, ...change })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ code: 'invalid_input' })
    expect(upstream.calls).toEqual([])
  })

  test('S31 may have 256 KiB, and not a byte more', async () => {
    const upstream = await startUpstream()
    const { ask } = await llmTestApp(upstream)
    expect((await ask(questionOf(llmBodyMaxBytes))).statusCode).toBe(200)
    expect((await ask(questionOf(llmBodyMaxBytes + 1))).statusCode).toBe(413)
    expect(upstream.calls).toHaveLength(1)
  })

  test('S16 as text is 415', async () => {
    const { owner } = await llmTestApp(await startUpstream())
    const response = await owner.inject({
      method: 'POST',
      url: '/_spark/llm',
      payload: JSON.stringify(question),
      headers: { 'content-type': 'text/plain' },
    })
    expect(response.statusCode).toBe(415)
  })
})

test('without a language model, 503 says so and the log has no error', async () => {
  const { signUp, logged } = await createTestApp()
  const { inject } = await signUp()
  const response = await inject({ method: 'POST', url: '/_spark/llm', payload: question })
  expect(response.statusCode).toBe(503)
  expect(response.json()).toMatchObject({ code: 'llm_not_configured' })
  expect(logged()).not.toContain('request failed')
})

test('a body that is too large is refused as such even without a model', async () => {
  const { signUp } = await createTestApp()
  const { inject } = await signUp()
  const payload = JSON.stringify({ text: 'a'.repeat(llmBodyMaxBytes) })
  const headers = { 'content-type': 'application/json' }
  const response = await inject({ method: 'POST', url: '/_spark/llm', payload, headers })
  expect(response.statusCode).toBe(413)
  expect(response.json()).toMatchObject({ code: 'too_large' })
})

test('S47 callers who may not ask are refused before the body is read', async () => {
  const tooMuch = { messages: Array.from({ length: 80_000 }, () => 1) }
  const unconfigured = await createTestApp()
  const owner = await unconfigured.signUp()
  const ask = { method: 'POST', url: '/_spark/llm', payload: tooMuch } as const
  expect((await owner.inject(ask)).statusCode).toBe(503)

  const { inject } = await llmTestApp(await startUpstream())
  const demo = await inject({ method: 'POST', url: '/api/auth/demo' })
  const cookies = Object.fromEntries(demo.cookies.map(({ name, value }) => [name, value]))
  expect((await inject({ ...ask, cookies })).json()).toMatchObject({ code: 'llm_demo' })
})

test('S47 too many messages are not validated one by one, and at most twenty faults are named', async () => {
  const { ask } = await llmTestApp(await startUpstream())
  const messages = Array.from({ length: 65 }, () => 1)
  expect((await ask({ ...question, messages })).json().fields).toEqual({
    messages: 'There are at most 64 messages.',
  })
  const faults = await ask({ ...question, messages: messages.slice(1) })
  expect(Object.keys(faults.json().fields)).toHaveLength(20)
})

test('S9 a demo user is refused, and nothing is forwarded', async () => {
  const upstream = await startUpstream()
  const { inject, ask } = await llmTestApp(upstream)
  const demo = await inject({ method: 'POST', url: '/api/auth/demo' })
  const cookies = Object.fromEntries(demo.cookies.map(({ name, value }) => [name, value]))
  const response = await ask(question, { inject: (call) => inject({ ...call, cookies }) })
  expect(response.statusCode).toBe(403)
  expect(response.json()).toMatchObject({ code: 'llm_demo' })
  expect(upstream.calls).toEqual([])
})

test('closing the page aborts the call upstream', async () => {
  const asked = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  const upstream = await startUpstream((response) => {
    response.once('close', () => closed.resolve())
    response.writeHead(200).write('{"choices":')
    asked.resolve()
  })
  const { app, owner } = await llmTestApp(upstream)
  const page = new AbortController()
  const answer = askOverHttp(app, owner, page.signal)
  await asked.promise
  page.abort()
  await expect(answer).rejects.toThrow(/abort/i)
  await closed.promise
})

/** A question with this many bytes of JSON. */
function questionOf(bytes: number) {
  const frame = { ...question, messages: [{ role: 'user', content: '' }] }
  const content = 'x'.repeat(bytes - JSON.stringify(frame).length)
  return { ...question, messages: [{ role: 'user', content }] }
}

test('S57 a call ends within a second of its session, at the service too', async () => {
  const asked = Promise.withResolvers<void>()
  const cut = Promise.withResolvers<void>()
  const upstream = await startUpstream((response) => {
    response.once('close', () => cut.resolve())
    asked.resolve()
  })
  const { ask, owner } = await llmTestApp(upstream)
  const answer = ask()
  await asked.promise
  const endedMs = performance.now()
  await owner.inject({ url: '/api/auth/logout', headers: { 'sec-fetch-site': 'same-origin' } })
  expect((await answer).json()).toMatchObject({ code: 'signed_out' })
  await cut.promise
  expect(performance.now() - endedMs).toBeLessThan(1000)
})
