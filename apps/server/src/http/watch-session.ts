/** With what sessions are cached for, who was signed out by any server is noticed within a second. */
const lookMs = 100

export interface WatchedSession {
  /** Aborts when the session has ended. */
  readonly signal: AbortSignal
  readonly stop: () => void
}

/**
 * Watches the session of a call that takes long, which its user or an operator may end meanwhile.
 * @param isSignedIn asked again and again
 */
export function watchSession(isSignedIn: () => Promise<boolean>): WatchedSession {
  const ended = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const look = async () => {
    // A storage that does not answer says nothing about the session.
    const isOver = !(await isSignedIn().catch(() => true))
    if (isOver) ended.abort()
    else if (timer !== undefined) timer = setTimeout(() => void look(), lookMs)
  }
  timer = setTimeout(() => void look(), lookMs)
  return {
    signal: ended.signal,
    stop: () => {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
