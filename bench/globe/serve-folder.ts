import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { extname, join } from 'node:path'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
}

/** Serves a built page on a free port of this machine. */
export async function serveFolder(folder: string) {
  const server = createServer((request, response) => {
    void answer(request, response)
  })
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const file = join(folder, pathname === '/' ? '/index.html' : pathname)
    if (!existsSync(file)) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      // Both together isolate the page, whose clock then ticks every 5 µs instead of every 100.
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
    })
    response.end(await readFile(file))
  }
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
