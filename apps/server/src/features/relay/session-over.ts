import {
  connect,
  type ClientHttp2Session,
  type Http2Server,
  type Http2Session,
  type SecureClientSessionOptions,
} from 'node:http2'
import type { Duplex } from 'node:stream'

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
