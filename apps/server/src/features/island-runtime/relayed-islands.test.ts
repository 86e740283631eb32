import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { runtimeScriptPath, runtimeSocketPath } from '@astropelago/contract/island-runtime'
import { visitorIdHeader, visitorNameHeader } from '@astropelago/contract/relay-access'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { makeWebDir } from '../../test/make-web-dir.ts'
import { connectAgent } from '../../test/relay-agent.ts'
import { shareRelayApp } from '../../test/relay-app.ts'
import { acceptWebSocket, visitorOf } from '../../test/relay-visitor.ts'
import { openPage, pagesAt } from './testing/island-page.ts'

const webDir = await makeWebDir({}, afterAll)
const scripts = join(webDir, '_spark')
await mkdir(scripts)
for (const name of ['island', 'preview', 'agreed']) {
  await writeFile(join(scripts, `${name}.js`), `// ${name}`)
}
await writeFile(join(scripts, 'island.js.gz'), gzipSync('// island'))
const options = { webDir }

/** An agent whose service answers everything, and takes every WebSocket. */
async function setUp() {
  const relay = await shareRelayApp(options)
  const asked: string[] = []
  const headers: IncomingHttpHeaders[] = []
  await connectAgent(relay.url, relay.token, {
    onRequest: (request, response) => {
      asked.push(`${request.method} ${request.url}`)
      headers.push(request.headers)
      response.end('the service')
    },
    onUpgrade: (request, stream, head) => {
      asked.push(`WebSocket ${request.url}`)
      acceptWebSocket(request, stream, head)
    },
  })
  await expect.poll(async () => (await relay.visit()).body).toBe('the service')
  asked.splice(0)
  return { ...relay, ...pagesAt(relay, relay.slug), asked, headers }
}

describe('S69 on a relayed island', () => {
  test('the server answers below /.astropelago/, whatever the service has there', async () => {
    const { visit, asked } = await setUp()
    const script = await visit({ path: runtimeScriptPath })
    expect(script).toMatchObject({ status: 200, body: '// island' })
    expect(script.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    })
    expect((await visit({ path: `${runtimeScriptPath}?v=1` })).body).toBe('// island')
    const known = { 'if-none-match': script.headers.etag }
    expect((await visit({ path: runtimeScriptPath, headers: known })).status).toBe(304)
    expect(await visit({ path: runtimeScriptPath, method: 'HEAD' })).toMatchObject({
      status: 200,
      body: '',
    })
    const others = [
      await visit({ path: runtimeScriptPath, method: 'POST' }),
      await visit({ path: `${runtimeScriptPath}/more` }),
      await visit({ path: runtimeSocketPath }),
    ]
    expect(others.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(asked).toEqual([])
    expect(await visit({ path: '/spark.js' })).toMatchObject({ body: 'the service' })
  })

  test('its script is sent compressed to browsers that take that', async () => {
    const { begin } = await setUp()
    const answer = await begin({
      path: runtimeScriptPath,
      headers: { 'accept-encoding': 'gzip' },
    })
    expect(answer.headers['content-encoding']).toBe('gzip')
    const chunks: Buffer[] = []
    for await (const chunk of answer) chunks.push(Buffer.from(chunk))
    expect(gunzipSync(Buffer.concat(chunks)).toString()).toBe('// island')
  })

  test('spark works, and the service still gets its own WebSockets', async () => {
    const { openAs, signUp, asked, port, hostName } = await setUp()
    const [ada, reader] = [await openAs(await signUp()), await openAs()]
    await reader.join('chat')
    expect(await ada.send('chat', 'Hi')).toMatchObject({ n: 1 })
    expect(await reader.eventsOf('chat', 1)).toMatchObject([{ value: 'Hi' }])
    expect(await ada.call({ call: 'set', store: 'kv', key: 'a', value: '1' })).toBeNull()
    expect(await ada.call({ call: 'get', store: 'kv', key: 'a' })).toBe('1')
    expect(await reader.call({ call: 'set', store: 'kv', key: 'a', value: '1' })).toBe('not_agreed')
    expect(asked.filter((one) => one.startsWith('WebSocket'))).toEqual([])

    const socket = new WebSocket(`ws://127.0.0.1:${port}/talk`, {
      headers: { host: `${hostName}:${port}` },
    })
    onTestFinished(() => socket.terminate())
    await once(socket, 'open')
    expect(asked.filter((one) => one.startsWith('WebSocket'))).toEqual(['WebSocket /talk'])
  })

  test('spark says of a visitor what the relay tells the service', async () => {
    const relay = await setUp()
    const user = await relay.signUp()
    const visitor = visitorOf(relay, relay.slug, user)
    await visitor.enter(true)
    await visitor.open('/')
    const told = relay.headers.at(-1)
    const page = await relay.openAs(user)
    expect(await page.call({ call: 'user' })).toEqual({
      id: told?.[visitorIdHeader],
      name: told?.[visitorNameHeader],
      isHost: false,
    })
  })

  test('spark works while no agent is connected', async () => {
    const relay = await shareRelayApp(options)
    const page = await pagesAt(relay, relay.slug).openAs()
    expect(await page.join('chat')).toMatchObject({ last: 0 })
  })
})

test('S69 the preview has a stand-in for spark, and no connection', async () => {
  const { visit, port } = await shareRelayApp(options)
  const hostName = 'preview.localhost'
  const script = await visit({ path: runtimeScriptPath, host: `${hostName}:${port}` })
  expect(script).toMatchObject({ status: 200, body: '// preview' })
  expect(await (await openPage(port, { hostName })).closed).toMatchObject({ code: 4003 })
})
