import { once } from 'node:events'
import {
  connect as connectHttp2,
  type ClientHttp2Session,
  type Http2Server,
  type Http2Session,
  type SecureClientSessionOptions,
} from 'node:http2'
import { connect, createServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'

export function sessionOver(wire: Duplex, options: SecureClientSessionOptions): ClientHttp2Session {
  passOverUnlessOpen(wire, () => session)
  const session = connectHttp2('http://relay.invalid', { ...options, createConnection: () => wire })
  return session
}

/** The same for a server, which emits `session` for it synchronously. */
export function serveSessionOver(wire: Duplex, server: Http2Server): void {
  let session: { readonly destroyed: boolean } | undefined
  server.once('session', (begun) => (session = begun))
  passOverUnlessOpen(wire, () => session)
  server.emit('connection', wire)
}

/** Node reads earlier bytes one tick after making a session, and throws if it has ended. This runs before. */
function passOverUnlessOpen(
  wire: Duplex,
  find: () => { readonly destroyed: boolean } | undefined,
): void {
  process.nextTick(() => {
    if (find()?.destroyed === true) wire.read()
  })
}

export interface Patience {
  readonly pingMs: number
  /** The other end counts as gone this long after its last answer. */
  readonly silentMs: number
}

/** Calls back when the other end stops answering pings. Returns a function that ends the watch. */
export function watchSilence(
  session: Http2Session,
  { pingMs, silentMs }: Patience,
  onSilent: () => void,
): () => void {
  let answers = 0
  const pings = setInterval(() => {
    if (session.destroyed) return
    session.ping((error) => {
      if (error !== null) return
      answers += 1
      silence.refresh()
    })
  }, pingMs)
  const silence = setTimeout(() => {
    const before = answers
    // If the event loop was blocked, read first what has arrived meanwhile.
    setImmediate(() => {
      if (answers === before) onSilent()
    })
  }, silentMs)
  return () => {
    clearInterval(pings)
    clearTimeout(silence)
  }
}

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
