import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Listens on a free port, and resolves with the address. */
export async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${portOf(server)}`
}

/** The port that a server listens on. */
export function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('Listens on no port')
  return address.port
}

/**
 * Finds a free port for a program that can't choose one itself. The port is below the range that systems
 * use for outgoing connections, one of which could take it first.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000)
    const server = createServer()
    server.listen(port, '127.0.0.1')
    try {
      await once(server, 'listening')
    } catch {
      // The port is taken.
      continue
    }
    server.close()
    await once(server, 'close')
    return port
  }
}
