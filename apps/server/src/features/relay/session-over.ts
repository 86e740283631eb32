import {
  connect,
  type ClientHttp2Session,
  type Http2Server,
  type SecureClientSessionOptions,
} from 'node:http2'
import type { Duplex } from 'node:stream'

/** An HTTP/2 session, as its client, over a connection that stands already. */
export function sessionOver(wire: Duplex, options: SecureClientSessionOptions): ClientHttp2Session {
  passOverUnlessOpen(wire, () => session)
  const session = connect('http://relay.invalid', { ...options, createConnection: () => wire })
  return session
}

/** The same as its server, which emits `session` for it in this turn. */
export function serveSessionOver(wire: Duplex, server: Http2Server): void {
  let session: { readonly destroyed: boolean } | undefined
  server.once('session', (begun) => (session = begun))
  passOverUnlessOpen(wire, () => session)
  server.emit('connection', wire)
}

/**
 * A tick after it made a session, Node hands it what had come before, and throws where that has ended meanwhile:
 * nobody could catch it. This tick is the one before.
 */
function passOverUnlessOpen(
  wire: Duplex,
  find: () => { readonly destroyed: boolean } | undefined,
): void {
  process.nextTick(() => {
    if (find()?.destroyed === true) wire.read()
  })
}
