import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { onTestFinished, vi } from 'vitest'

interface Answer {
  readonly status?: number
  readonly statusText?: string
  readonly body?: string
}

export interface ReceivedRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A real HTTP server for the page's own addresses, with the requests that it received. */
export async function answeringServer(
  answer: (request: ReceivedRequest) => Answer | Promise<Answer>,
): Promise<readonly ReceivedRequest[]> {
  const received: ReceivedRequest[] = []
  const respond = async (message: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers } = message
    const request = { method, url, headers, body: await text(message) }
    received.push(request)
    const { status = 200, statusText = '', body = '' } = await answer(request)
    response.writeHead(status, statusText).end(body)
  }
  const server = createServer((message, response) => void respond(message, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${address.port}${path}`, init),
  )
  onTestFinished(() => {
    vi.unstubAllGlobals()
    server.closeAllConnections()
    server.close()
  })
  return received
}
