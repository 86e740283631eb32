import type { Http2Session } from 'node:http2'

interface Patience {
  readonly pingMs: number
  /** Of so many pings one after the other none came back. */
  readonly unansweredMax: number
}

/** Calls back when the other end of a session answers no more. @returns what ends the watch */
export function watchSilence(
  session: Http2Session,
  { pingMs, unansweredMax }: Patience,
  onSilent: () => void,
): () => void {
  let unanswered = 0
  const timer = setInterval(() => {
    if (session.destroyed || unanswered >= unansweredMax) {
      clearInterval(timer)
      onSilent()
      return
    }
    unanswered += 1
    session.ping((error) => {
      if (error === null) unanswered = 0
    })
  }, pingMs)
  return () => clearInterval(timer)
}
