import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { portOf } from './listen.ts'

/** Both ends of a TCP connection. */
export async function socketPair(): Promise<[near: Socket, far: Socket]> {
  const server = createServer({ allowHalfOpen: true, noDelay: true }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const accepted = once(server, 'connection')
  const options = { allowHalfOpen: true, noDelay: true }
  const near = connect({ port: portOf(server), host: '127.0.0.1', ...options })
  const [far]: Socket[] = await accepted
  if (far === undefined) throw new Error('nobody connected')
  server.close()
  onTestFinished(() => {
    near.destroy()
    far.destroy()
  })
  return [near, far]
}
