import { sessionsPerUser } from '@astropelago/contract/limits'
import type { Clock } from '../../clock.ts'
import type { AccountsStore } from './accounts-store.ts'
import { hashToken, makeToken } from '../../secret-token.ts'

interface StartSessionDeps {
  readonly store: AccountsStore
  readonly clock: Clock
}

/**
 * Starts a session with a token of its own and ends the one that the browser had, whoever it
 * belonged to: a token planted before sign-in is worth nothing after it.
 * @returns the token for the cookie
 */
export async function startSession(
  { store, clock }: StartSessionDeps,
  userKey: number,
  presentedToken: string | undefined,
): Promise<string> {
  const token = makeToken()
  const nowMs = clock()
  await store.startSession(
    { tokenHash: hashToken(token), userKey, createdMs: nowMs, lastUsedMs: nowMs },
    presentedToken === undefined ? null : hashToken(presentedToken),
    sessionsPerUser,
  )
  return token
}
