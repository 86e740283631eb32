import { once } from 'node:events'
import { connect, type Server } from 'node:net'
import { promisify } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createTestApp } from '../test/create-test-app.ts'
import { portOf } from '../test/listen.ts'
import { inTime } from '../test/in-time.ts'

test('a server that was closed without having listened leaves no timer, which would keep all of it in memory', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const before = vi.getTimerCount()
  const { app, inject } = await createTestApp()
  expect((await inject({ url: '/healthz' })).statusCode).toBe(200)
  await app.close()
  // Streams are told that it ends, and have a moment for that.
  await vi.advanceTimersByTimeAsync(10_000)
  expect(vi.getTimerCount()).toBe(before)
})

test('a request while the server ends gets 503 with Retry-After', async () => {
  const { app } = await createTestApp()
  await app.listen({ port: 0 })
  const socket = connect(portOf(app.server))
  onTestFinished(() => void socket.destroy())
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text))
  const ended = once(socket, 'close')
  socket.write('POST /api/devices/heartbeat-token HTTP/1.1\r\nHost: localhost\r\n')
  await vi.waitFor(() => expect(count(app.server)).resolves.toBe(1), inTime)
  const closed = app.close()
  socket.write('Authorization: Bearer apd_x\r\nContent-Length: 0\r\n\r\n')
  await Promise.all([closed, ended])
  expect(answer).toMatch(/^HTTP\/1\.1 503 /)
  expect(answer).toMatch(/^retry-after: 1\r$/im)
  expect(answer).toContain('"code":"overloaded"')
})

const count = (server: Server) => promisify(server.getConnections.bind(server))()
