import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createTestApp } from '../../test/create-test-app.ts'

const url = '/agent.mjs'
const agent = readFileSync(new URL('../../../../../packages/agent/src/agent.mjs', import.meta.url))

test('anyone gets the agent byte for byte, as a script that browsers revalidate', async () => {
  const { inject } = await createTestApp()
  const response = await inject({ url })
  expect(response.statusCode).toBe(200)
  expect(response.rawPayload.equals(agent)).toBe(true)
  expect(response.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'content-length': String(agent.length),
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
  })
  expect(response.headers['set-cookie']).toBeUndefined()
})

test('the API returns the hash of the file, which is also its ETag', async () => {
  const { inject } = await createTestApp()
  const sha256 = createHash('sha256').update(agent).digest('hex')
  const answer = await inject({ url: '/api/relay/agent' })
  expect(answer.json()).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+$/), sha256 })
  const { headers } = await inject({ url })
  expect(headers['etag']).toBe(`"${sha256}"`)
  const again = await inject({ url, headers: { 'if-none-match': `W/"${sha256}"` } })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  expect((await inject({ url, headers: { 'if-none-match': '"another"' } })).statusCode).toBe(200)
})

test('the agent’s path is read-only', async () => {
  const { inject } = await createTestApp()
  for (const method of ['POST', 'PUT', 'DELETE'] as const) {
    expect((await inject({ method, url })).statusCode).toBe(404)
  }
  const head = await inject({ method: 'HEAD', url })
  expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([
    200,
    String(agent.length),
    '',
  ])
})
