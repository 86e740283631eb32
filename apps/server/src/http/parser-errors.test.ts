import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { listen, portOf } from '../test/listen.ts'
import { refuseUnreadable } from './parser-errors.ts'

/** What a server says to a browser that opens a page with this cookie, which comes in pieces. */
async function openWithCookie(cookie: string, accept: string): Promise<string> {
  const server = createServer()
  server.on(
    'clientError',
    refuseUnreadable({}, () => false),
  )
  await listen(server)
  onTestFinished(() => void server.close())
  // As browsers do, it goes on until all of the request is out.
  const socket = connect({ port: portOf(server), host: '127.0.0.1', allowHalfOpen: true })
  const closed = once(socket, 'close')
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text))
  const request = `GET / HTTP/1.1\r\nHost: a.isles.example\r\nAccept: ${accept}\r\nCookie: ${cookie}\r\n\r\n`
  for (const piece of request.match(/[^]{1,65536}/g) ?? []) {
    await new Promise((resolve) => void socket.write(piece, resolve))
    await setImmediate()
  }
  socket.end()
  await closed
  return answer
}

test.each([
  [20, 'text/html,*/*;q=0.8', 'text/html; charset=utf-8'],
  [20, 'application/json', 'application/json; charset=utf-8'],
  // As many as browsers keep.
  [180, 'text/html,*/*;q=0.8', 'text/html; charset=utf-8'],
])(
  'R55 %i cookies of 4 kB with %j are answered once they have arrived',
  async (count, accept, type) => {
    const answer = await openWithCookie(`a=${'x'.repeat(4094)}; `.repeat(count), accept)
    expect(answer).toMatch(/^HTTP\/1\.1 431 /)
    expect(answer).toContain(`content-type: ${type}\r\n`)
    expect(answer).toMatch(/(?:<\/html>\n|})$/)
  },
)

test('S48 a refused connection ends even if its client never hangs up', async () => {
  const server = createServer({ requestTimeout: 100, connectionsCheckingInterval: 20 })
  server.on(
    'clientError',
    refuseUnreadable({}, () => false),
  )
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
