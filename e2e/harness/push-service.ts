import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listen } from '../../apps/server/src/test/listen.ts'

interface PushService {
  /** Where a subscription of it leads to. */
  readonly url: string
  /** The next message that comes, encrypted for the browser. */
  readonly message: () => Promise<Buffer>
  readonly stop: () => Promise<void>
}

/** Stands in for the push service of a browser's maker. */
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
