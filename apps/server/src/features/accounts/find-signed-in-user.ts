import type { Clock } from '../../clock.ts'
import { hashToken } from '../../secret-token.ts'
import type { AccountsStore, UserRecord } from './accounts-store.ts'
import type { FoundSession } from './cached-sessions.ts'
import { isSessionAlive } from './session-lifetime.ts'

/**
 * Minimum time between two recorded uses of a session. Each record syncs the disk, and a session may well
 * end an hour early.
 */
const useNotedEveryMs = 3_600_000

interface FindSignedInUserDeps {
  readonly store: AccountsStore
  readonly clock: Clock
}

/** The user of the session with this token; undefined if there is no such session or it has expired. */
export async function findSignedInUser(
  { store, clock }: FindSignedInUserDeps,
  token: string,
): Promise<UserRecord | undefined> {
  const tokenHash = hashToken(token)
  const found = await store.findSession(tokenHash)
  const nowMs = clock()
  if (found === undefined || !isAlive(found, nowMs)) return undefined
  if (isUseDue(found, nowMs)) await store.noteSessionUse(tokenHash, nowMs)
  return found.user
}

/**
 * The user of a cached session that needs no storage access now. Undefined leaves it to `findSignedInUser`.
 */
export function aliveUser(found: FoundSession, nowMs: number): UserRecord | undefined {
  if (found === undefined || !isAlive(found, nowMs) || isUseDue(found, nowMs)) return undefined
  return found.user
}

/** Whether the session is alive, and its user is neither turned off nor expired. */
export function isAlive({ session, user }: NonNullable<FoundSession>, nowMs: number): boolean {
  const isUserGone = user.expiresMs !== null && user.expiresMs <= nowMs
  return !isUserGone && user.disabledMs === null && isSessionAlive(session, nowMs)
}

function isUseDue({ session }: NonNullable<FoundSession>, nowMs: number): boolean {
  return nowMs - session.lastUsedMs >= useNotedEveryMs
}
