import type { Clock } from '../../clock.ts'
import { hashToken } from '../../secret-token.ts'
import type { AccountsStore, UserRecord } from './accounts-store.ts'
import type { FoundSession } from './cached-sessions.ts'
import { isSessionAlive } from './session-lifetime.ts'

/**
 * A use is written down at most so often: each write syncs the disk, and a session that ends an
 * hour before its idle days are over troubles nobody.
 */
const useNotedEveryMs = 3_600_000

interface FindSignedInUserDeps {
  readonly store: AccountsStore
  readonly clock: Clock
}

/** Whose session this token holds; undefined when it holds none or its time is over. */
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

/** The user of a session that needs nothing of the storage now; undefined leaves it to `findSignedInUser`. */
export function knownUser(found: FoundSession, nowMs: number): UserRecord | undefined {
  if (found === undefined || !isAlive(found, nowMs) || isUseDue(found, nowMs)) return undefined
  return found.user
}

/** Whether somebody is signed in by it still, whom nobody turned off. */
export function isAlive({ session, user }: NonNullable<FoundSession>, nowMs: number): boolean {
  const isUserGone = user.expiresMs !== null && user.expiresMs <= nowMs
  return !isUserGone && user.disabledMs === null && isSessionAlive(session, nowMs)
}

function isUseDue({ session }: NonNullable<FoundSession>, nowMs: number): boolean {
  return nowMs - session.lastUsedMs >= useNotedEveryMs
}
