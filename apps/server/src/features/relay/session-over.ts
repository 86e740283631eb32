import { connect, type ClientHttp2Session, type SecureClientSessionOptions } from 'node:http2'
import type { Socket } from 'node:net'

/** An HTTP/2 session, as its client, over a connection that stands already. */
export function sessionOver(wire: Socket, options: SecureClientSessionOptions): ClientHttp2Session {
  // A tick after it made a session, Node hands it what had come before, and throws where that has ended
  // meanwhile: nobody could catch it. This tick is the one before.
  process.nextTick(() => {
    if (session.destroyed) wire.read()
  })
  const session = connect('http://relay.invalid', { ...options, createConnection: () => wire })
  return session
}
