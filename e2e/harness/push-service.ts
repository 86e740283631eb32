import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listen } from '../../apps/server/src/test/listen.ts'

interface PushService {
  /** The address in a subscription. */
  readonly url: string
  /** The next message to arrive, encrypted for the browser. */
  readonly message: () => Promise<Buffer>
  readonly stop: () => Promise<void>
}

/** Replaces the push service of a browser's vendor. */
export async function startPushService(): Promise<PushService> {
  const messages: Buffer[] = []
  const arrivals = new EventEmitter()
  const server = createServer((request, response) => {
    void (async () => {
      messages.push(await buffer(request))
      response.writeHead(201).end()
      arrivals.emit('message')
    })()
  })
  const address = await listen(server)
  return {
    url: `${address}/push/1`,
    message: async () => {
      let first = messages.shift()
      while (first === undefined) {
        await once(arrivals, 'message')
        first = messages.shift()
      }
      return first
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
