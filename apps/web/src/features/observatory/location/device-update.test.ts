import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sendDeviceUpdate, timeoutMs } from './device-update.ts'

const location = { id: 'a-uuid', label: 'Harbour Pi', lat: 54.323312, lon: 10.139444 }
const never = new AbortController().signal

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

async function listen(answer: Answer): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port was given')
  return `http://127.0.0.1:${address.port}/devices?of=mine`
}

test('the place is posted as JSON, online, and any 2xx is a success', async () => {
  const seen: unknown[] = []
  const url = await listen(async (request, response) => {
    const { method, url: path, headers } = request
    const type = headers['content-type']
    seen.push({ method, path, type, body: JSON.parse(await text(request)) })
    response.writeHead(204).end()
  })
  await sendDeviceUpdate(url, location, never)
  expect(seen).toEqual([
    {
      method: 'POST',
      path: '/devices?of=mine',
      type: 'application/json',
      body: { ...location, status: 'online' },
    },
  ])
})

test('a refusal gives its status', async () => {
  const url = await listen((_request, response) => response.writeHead(503).end())
  await expect(sendDeviceUpdate(url, location, never)).rejects.toThrow(/^it answered 503$/)
})

test('a failed connection says so', async () => {
  const url = await listen((request) => request.destroy())
  await expect(sendDeviceUpdate(url, location, never)).rejects.toThrow(/^the connection failed$/)
})

test('a late answer is given up', async () => {
  const timeouts = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
  onTestFinished(() => timeouts.mockRestore())
  const url = await listen(() => undefined)
  await expect(sendDeviceUpdate(url, location, never)).rejects.toThrow(
    /^it took more than 10 seconds$/,
  )
  expect(timeouts).toHaveBeenCalledWith(timeoutMs)
})

test('an abort is not reported as a failure', async () => {
  const url = await listen(() => undefined)
  const sending = sendDeviceUpdate(url, location, AbortSignal.abort())
  await expect(sending).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
})
