import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { listen } from '../../test/listen.ts'

export interface ReceivedCall {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

interface ReceiverOptions {
  /** What it answers with; by default 200 and `ok`. */
  readonly answer?: RequestListener
  readonly tls?: { readonly key: string; readonly cert: string }
}

/** A real HTTP server for one test, which keeps the requests that it gets. */
export async function startReceiver({ answer, tls }: ReceiverOptions = {}) {
  const calls: ReceivedCall[] = []
  const state = { answer: answer ?? ((_, response) => void response.end('ok')) }
  const take: RequestListener = (request, response) => {
    void (async () => {
      const { method = '', url = '', headers } = request
      calls.push({ method, path: url, headers, body: await buffer(request) })
      state.answer(request, response)
    })()
  }
  const server = tls === undefined ? createServer(take) : createTlsServer(tls, take)
  const address = await listen(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: tls === undefined ? address : address.replace('http:', 'https:'),
    calls,
    /** What it answers with from now on. */
    answerWith: (next: RequestListener) => {
      state.answer = next
    },
    connections: () =>
      new Promise<number>((done) => {
        server.getConnections((_, count) => done(count))
      }),
  }
}
