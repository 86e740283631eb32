import { setTimeout as wait } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import * as v from 'valibot'
import { expect, test, vi } from 'vitest'
import { startReceiver } from './outgoing/testing/receiver.ts'
import { sendHeartbeatOverHttp, signInOverHttp } from './test/http-client.ts'
import { makeTempDir } from './test/open-test-storage.ts'
import { runServer } from './test/run-server.ts'

vi.setConfig({ testTimeout: 90_000 })

const windowS = 2
const env = { ONLINE_WINDOW_S: String(windowS), ALLOW_PRIVATE_TARGETS: 'on' }

async function setUp() {
  const dataDir = await makeTempDir()
  const receiver = await startReceiver()
  const server = await runServer({ dataDir, env })
  const client = await signInOverHttp(server.url, 'ada')
  const settings = { kind: 'webhook', url: `${receiver.url}/alerts` }
  const made = await client.call('POST', '/api/me/alerts/channels', { name: 'Hook', settings })
  expect(made.status).toBe(201)
  const { secret } = v.parse(v.object({ secret: v.string() }), await made.json())
  const token = await client.createToken(await client.registerDevice())
  return { dataDir, receiver, server, secret, token }
}

test('[N10] a server that is killed between flip and answer sends once more with the same key', async () => {
  const { dataDir, receiver, server, secret, token } = await setUp()
  // The receiver takes the first call but never answers it.
  receiver.answerWith(() => undefined)
  await sendHeartbeatOverHttp(server.url, token)
  await vi.waitFor(() => expect(receiver.calls).toHaveLength(1), { timeout: 30_000 })
  server.kill('SIGKILL')
  await server.exited
  receiver.answerWith((_, response) => void response.writeHead(204).end())
  const next = await runServer({ dataDir, env })
  await vi.waitFor(() => expect(receiver.calls).toHaveLength(2), { timeout: 30_000 })
  const bodies = receiver.calls.map(({ headers, body }) => {
    const known = Object.fromEntries(
      Object.entries(headers).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    )
    return [headers['webhook-id'], new Webhook(secret).verify(body.toString(), known)]
  })
  expect(bodies[0]?.[0]).toBeTruthy()
  expect(bodies[1]).toEqual(bodies[0])
  // A delivery that arrived is not sent again.
  await wait(2000)
  expect(receiver.calls).toHaveLength(2)
  next.kill('SIGTERM')
  await next.exited
})

test('[N3] a server that stops for many windows sends no alerts, because nothing flipped', async () => {
  const { dataDir, receiver, server, token } = await setUp()
  await sendHeartbeatOverHttp(server.url, token)
  server.kill('SIGTERM')
  await server.exited
  await wait(2 * windowS * 1000)
  const next = await runServer({ dataDir, env })
  for (let beat = 0; beat < 10; beat += 1) {
    await sendHeartbeatOverHttp(next.url, token)
    await wait(500)
  }
  expect(receiver.calls).toEqual([])
  next.kill('SIGTERM')
  await next.exited
})
