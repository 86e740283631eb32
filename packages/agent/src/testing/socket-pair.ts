import { once } from 'node:events'
import net, { type Socket } from 'node:net'
import { listen } from './listen.ts'

/**
 * Both ends of a connection from this machine to itself. HTTP/2 over a stream that is not a plain socket
 * fails assertions of Node's when it is torn down during a write. Some of them end the process. [A8]
 */
export async function socketPair(): Promise<readonly [Socket, Socket]> {
  const server = net.createServer()
  const port = await listen(server)
  const taken: Promise<Socket[]> = once(server, 'connection')
  const near = net.connect(port, '127.0.0.1')
  const [far] = await taken
  server.close()
  if (far === undefined) throw new Error('nobody came')
  for (const socket of [near, far]) socket.on('error', () => undefined)
  return [near, far]
}
