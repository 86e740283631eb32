import type { Clock } from '../../clock.ts'
import type { AccountsStore, UserRecord } from './accounts-store.ts'
import { isSessionAlive } from './session-lifetime.ts'
import { hashSessionToken } from './session-token.ts'

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
  const tokenHash = hashSessionToken(token)
  const found = await store.findSession(tokenHash)
  if (found === undefined) return undefined

  const { session, user } = found
  const nowMs = clock()
  const isUserGone = user.expiresMs !== null && user.expiresMs <= nowMs
  if (isUserGone || !isSessionAlive(session, nowMs)) return undefined

  if (nowMs - session.lastUsedMs >= useNotedEveryMs) await store.noteSessionUse(tokenHash, nowMs)
  return user
}
