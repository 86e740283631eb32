import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { sendHeartbeatOverHttp, signInOverHttp } from './test/http-client.ts'
import { makeTempDir } from './test/open-test-storage.ts'
import { runServer } from './test/run-server.ts'

const idleSockets = 10_000
const heartbeats = 50
/** Such a heartbeat takes a few milliseconds. A server that is stuck never answers. */
const answerMs = 2000

test('S37 10,000 idle sockets do not stop heartbeats', { timeout: 60_000 }, async () => {
  const { url } = await runServer({
    dataDir: await makeTempDir(),
    env: { LIMIT_EXEMPT: '127.0.0.1' },
  })
  const owner = await signInOverHttp(url, 'owner')
  const token = await owner.createToken(await owner.registerDevice())
  const { port } = new URL(url)
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  let lost = 0
  for (let count = 0; count < idleSockets; count += 1) {
    const socket = connect(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    socket.on('close', () => (lost += 1))
    sockets.push(socket)
  }
  for (let count = 0; count < heartbeats; count += 1) {
    const startedMs = performance.now()
    expect(await sendHeartbeatOverHttp(url, token)).toBe(204)
    expect(performance.now() - startedMs).toBeLessThan(answerMs)
  }
  expect(lost).toBe(0)
})
