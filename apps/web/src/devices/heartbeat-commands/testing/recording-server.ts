import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

interface RecordedRequest {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

interface RecordingServer {
  readonly url: string
  readonly requests: RecordedRequest[]
  /** The answer to all further requests. */
  answer: { status: number; headers?: Record<string, string> }
  /** Runs while a request waits for its answer. */
  beforeAnswer: (request: RecordedRequest) => void
}

/** A real local server that records its requests. It closes with the test. */
export async function recordingServer(): Promise<RecordingServer> {
  const requests: RecordedRequest[] = []
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const recording: RecordingServer = {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    answer: { status: 204 },
    beforeAnswer: () => undefined,
  }
  server.on('request', (request, response) => {
    const { method, url: path, headers } = request
    async function take() {
      const recorded = { method, path, headers, body: await text(request) }
      requests.push(recorded)
      recording.beforeAnswer(recorded)
      response.writeHead(recording.answer.status, recording.answer.headers).end()
    }
    void take()
  })
  return recording
}
