import { sessionIdleDays, sessionMaxDays } from '@astropelago/contract/limits'

const dayMs = 86_400_000

interface SessionTimes {
  readonly createdMs: number
  readonly lastUsedMs: number
}

/** A session created, or last used, at these times or earlier has expired. */
export function sessionsOverAt(nowMs: number): SessionTimes {
  return {
    createdMs: nowMs - sessionMaxDays * dayMs,
    lastUsedMs: nowMs - sessionIdleDays * dayMs,
  }
}

export function isSessionAlive(session: SessionTimes, nowMs: number): boolean {
  const over = sessionsOverAt(nowMs)
  return session.createdMs > over.createdMs && session.lastUsedMs > over.lastUsedMs
}
