import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Listens on a free port; resolves with the address. */
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

/** A port that nobody listens on, for a program that can't choose one itself. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await listen(server)
  const port = portOf(server)
  server.close()
  await once(server, 'close')
  return port
}
