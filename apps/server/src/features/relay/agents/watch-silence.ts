import type { Http2Session } from 'node:http2'

export interface Patience {
  readonly pingMs: number
  /** So long after the last answer to one the other end is taken for gone. */
  readonly silentMs: number
}

/** Calls back when the other end of a session answers no more. @returns what ends the watch */
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
    // A server that was busy for so long reads first what has come meanwhile.
    setImmediate(() => {
      if (answers === before) onSilent()
    })
  }, silentMs)
  return () => {
    clearInterval(pings)
    clearTimeout(silence)
  }
}
