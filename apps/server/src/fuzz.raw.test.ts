import { once } from 'node:events'
import { connect } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTestApp } from './test/create-test-app.ts'
import { makeWebDir } from './test/make-web-dir.ts'
import { FuzzedServer } from './test/fuzz/fuzzed-server.ts'
import { rawRequestsOf } from './test/fuzz/raw-requests.ts'

const connections = Number(process.env['FUZZ_REQUESTS'] ?? 5000) / 10
const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
/** A client that is still connected by then and sends no more is disconnected here. */
const patienceMs = 2000

/** The answer to these bytes, after which nothing more is sent. */
async function talk(port: number, bytes: Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.setEncoding('latin1').on('data', (text: string) => (received += text))
  socket.on('error', () => undefined)
  socket.setTimeout(patienceMs, () => socket.destroy())
  socket.end(bytes)
  await once(socket, 'close')
  return received
}

const options = { timeout: 30_000 + connections * 100 }

test('S26 S36 S49 no bytes make the server fail, and it goes on', options, async () => {
  process.stdout.write(`${connections} fuzzed connections by FUZZ_SEED=${seed}\n`)
  const testApp = await createTestApp({ webDir: await makeWebDir() })
  const { app, inject, logged } = testApp
  const { operations, secrets } = await FuzzedServer.start(testApp)
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  await fc.assert(
    fc.asyncProperty(rawRequestsOf(operations), async (bytes) => {
      const received = await talk(Number(port), bytes)
      expect(received).toMatch(/^(HTTP\/1\.1 [1-4]\d\d |$)/)
      expect(received).not.toMatch(/HTTP\/1\.1 5\d\d |root:x:|"workspaces"/)
      const heads = received
        .split(/(?=HTTP\/1\.1 [2-4])/)
        .slice(/^HTTP\/1\.1 [2-4]/.test(received) ? 0 : 1)
      expect(heads.filter((head) => !head.includes('x-content-type-options: nosniff'))).toEqual([])
      for (const secret of secrets) expect(received).not.toContain(secret)
    }),
    { numRuns: connections, seed },
  )
  expect((await inject({ url: '/readyz' })).statusCode).toBe(200)
  expect(logged()).not.toContain('"level":50')
  expect(logged()).not.toContain('apd_secret')
})
