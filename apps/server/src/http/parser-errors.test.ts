import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { listen, portOf } from '../test/listen.ts'
import { refuseUnreadable } from './parser-errors.ts'

test('S48 a connection that got its refusal is ended, also where its client never hangs up', async () => {
  const server = createServer({ requestTimeout: 100, connectionsCheckingInterval: 20 })
  server.on('clientError', refuseUnreadable({}))
  await listen(server)
  onTestFinished(() => void server.close())
  const count = promisify(server.getConnections.bind(server))
  const socket = connect({ port: portOf(server), host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  socket.write('GET / HTTP/1.1\r\nHost: loc')
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text))
  await once(socket, 'end')
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(await count()).toBe(1)
  await expect.poll(() => count(), { timeout: 10_000 }).toBe(0)
})
