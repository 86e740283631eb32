import { dayMs } from '../../history/time-spans.ts'
import { sessionIdleDays, sessionMaxDays } from '@astropelago/contract/limits'
import type { Clock } from '../../clock.ts'
import { hashToken } from '../../secret-token.ts'
import type { AccountsStore, FoundSession, SessionTimes, UserRecord } from './accounts-store.ts'

/** Each record of a use syncs the disk, and a session may well end an hour early. */
const useRecordedEveryMs = 3_600_000

export async function findSignedInUser(
  { store, clock }: { readonly store: AccountsStore; readonly clock: Clock },
  token: string,
): Promise<UserRecord | undefined> {
  const tokenHash = hashToken(token)
  const found = await store.findSession(tokenHash)
  const nowMs = clock()
  if (found === undefined || !isAlive(found, nowMs)) return undefined
  if (isUseDue(found, nowMs)) await store.recordSessionUse(tokenHash, nowMs)
  return found.user
}

export function isAlive({ session, user }: FoundSession, nowMs: number): boolean {
  const isExpired = user.expiresMs !== null && user.expiresMs <= nowMs
  return !isExpired && user.disabledMs === null && isSessionAlive(session, nowMs)
}

export function isUseDue({ session }: FoundSession, nowMs: number): boolean {
  return nowMs - session.lastUsedMs >= useRecordedEveryMs
}

export function isSessionAlive(session: SessionTimes, nowMs: number): boolean {
  const over = sessionsOverAt(nowMs)
  return session.createdMs > over.createdMs && session.lastUsedMs > over.lastUsedMs
}

export function sessionsOverAt(nowMs: number): SessionTimes {
  return {
    createdMs: nowMs - sessionMaxDays * dayMs,
    lastUsedMs: nowMs - sessionIdleDays * dayMs,
  }
}
