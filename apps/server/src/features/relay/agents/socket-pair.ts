import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/**
 * Both ends of a connection from this machine to itself. HTTP/2 over a stream that is not a socket
 * sometimes fails an assertion of Node's (`JSStreamSocket.doWrite`, 26.10) when it is cut during a write.
 */
export async function socketPair(): Promise<readonly [Socket, Socket]> {
  const server = createServer({ noDelay: true })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('Listens on no port')
  const near = connect({ port: address.port, host: '127.0.0.1', noDelay: true })
  const accepted = new Promise<Socket>((resolve) =>
    server.on('connection', (socket) => {
      // Another process on this machine may have connected first.
      if (socket.remotePort === near.localPort) resolve(socket)
      else socket.destroy()
    }),
  )
  try {
    await once(near, 'connect')
    const far = await accepted
    for (const end of [near, far]) end.on('error', () => end.destroy())
    return [near, far]
  } finally {
    server.close()
  }
}
