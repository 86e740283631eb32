import { once } from 'node:events'
import type { Server } from 'node:net'

/**
 * Listens on any free port.
 * @returns the port
 */
export async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  server.listen(0, host)
  await once(server, 'listening')
  return portOf(server)
}

/** The port on which a server listens. */
export function portOf(server: Server): number {
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('it listens nowhere')
  return address.port
}
