import { IncomingMessage, Server } from 'node:http'
import { Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { cutSlowBodies } from './slow-bodies.ts'

function setUp() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const server = new Server()
  const cut: unknown[] = []
  server.on('clientError', (error: Error & { readonly code?: string }, socket: Socket) => {
    expect(error.code).toBe('ERR_HTTP_REQUEST_TIMEOUT')
    cut.push(socket)
  })
  const watchBody = cutSlowBodies(server, { maxMs: 30_000, checkMs: 5000 })
  server.emit('listening')
  const begin = (headers: Record<string, string>) => {
    const request = new IncomingMessage(new Socket())
    Object.assign(request.headers, headers)
    watchBody(request)
    return request
  }
  return { begin, cut }
}

test('S37 a request whose body has not arrived after 30 s is cut', () => {
  const { begin, cut } = setUp()
  const slow = begin({ 'content-length': '5' })
  vi.advanceTimersByTime(10_000)
  const chunked = begin({ 'transfer-encoding': 'chunked' })
  vi.advanceTimersByTime(25_000)
  expect(cut).toEqual([slow.socket])
  vi.advanceTimersByTime(10_000)
  expect(cut).toEqual([slow.socket, chunked.socket])
})

test('S37 a large body has time for as long as it keeps coming', () => {
  const { begin, cut } = setUp()
  const upload = begin({ 'content-length': '9000000' })
  Object.defineProperty(upload.socket, 'bytesRead', { value: 4_000_000 })
  vi.advanceTimersByTime(55_000)
  expect(cut).toEqual([])
  vi.advanceTimersByTime(10_000)
  expect(cut).toEqual([upload.socket])
})

test('S37 a request that has lost its connection is left alone', () => {
  const { begin, cut } = setUp()
  // As Node leaves it after some answers that were sent before the body had arrived.
  Object.defineProperty(begin({ 'content-length': '5' }), 'socket', { value: null })
  expect(() => vi.advanceTimersByTime(60_000)).not.toThrow()
  expect(cut).toEqual([])
})

test('S37 requests without a body, complete ones and closed ones are left alone', () => {
  const { begin, cut } = setUp()
  begin({})
  begin({ 'content-length': '0' })
  begin({ 'content-length': '5' }).emit('end')
  begin({ 'content-length': '5' }).complete = true
  begin({ 'content-length': '5' }).socket.destroy()
  vi.advanceTimersByTime(60_000)
  expect(cut).toEqual([])
})
