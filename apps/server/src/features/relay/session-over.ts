import {
  connect,
  type ClientHttp2Session,
  type Http2Server,
  type SecureClientSessionOptions,
} from 'node:http2'
import type { Duplex } from 'node:stream'

/** A client's HTTP/2 session over an existing connection. */
export function sessionOver(wire: Duplex, options: SecureClientSessionOptions): ClientHttp2Session {
  passOverUnlessOpen(wire, () => session)
  const session = connect('http://relay.invalid', { ...options, createConnection: () => wire })
  return session
}

/** The same for a server, which emits `session` for it synchronously. */
export function serveSessionOver(wire: Duplex, server: Http2Server): void {
  let session: { readonly destroyed: boolean } | undefined
  server.once('session', (begun) => (session = begun))
  passOverUnlessOpen(wire, () => session)
  server.emit('connection', wire)
}

/**
 * Node hands a new session the bytes that arrived earlier one tick after making it, and throws if the
 * session has ended by then. Nobody could catch that. This callback runs one tick before.
 */
function passOverUnlessOpen(
  wire: Duplex,
  find: () => { readonly destroyed: boolean } | undefined,
): void {
  process.nextTick(() => {
    if (find()?.destroyed === true) wire.read()
  })
}
