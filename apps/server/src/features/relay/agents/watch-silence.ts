import type { Http2Session } from 'node:http2'

export interface Patience {
  readonly pingMs: number
  /** The other end counts as gone this long after its last answer. */
  readonly silentMs: number
}

/**
 * Calls back when the other end of a session stops answering pings.
 * @returns a function that ends the watch
 */
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
