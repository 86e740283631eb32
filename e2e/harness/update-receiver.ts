import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

/** An update that the service received about a device. */
interface ReceivedUpdate {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: unknown
}

export interface UpdateReceiver {
  readonly url: string
  readonly received: readonly ReceivedUpdate[]
  /** Sets its answer from now on; 'nothing' cuts the connection. */
  answerWith: (answer: number | 'nothing') => void
  /** Forgets what it received, and answers 204 again. */
  reset: () => void
  stop: () => Promise<void>
}

/** A service on another origin that accepts device updates, for VITE_DEVICE_UPDATE_URL. */
export async function startUpdateReceiver(): Promise<UpdateReceiver> {
  const received: ReceivedUpdate[] = []
  let answer: number | 'nothing' = 204
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const cors = {
      'access-control-allow-origin': request.headers.origin ?? '*',
      'access-control-allow-headers': 'content-type',
    }
    if (request.method === 'OPTIONS') {
      response.writeHead(204, cors).end()
      return
    }
    received.push({ headers: request.headers, body: JSON.parse(await text(request)) })
    if (answer === 'nothing') response.destroy()
    else response.writeHead(answer, cors).end()
  }
  const server = createServer((request, response) => void take(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port was given')
  return {
    url: `http://127.0.0.1:${address.port}/devices`,
    received,
    answerWith: (next) => {
      answer = next
    },
    reset: () => {
      received.length = 0
      answer = 204
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
