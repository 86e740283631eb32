import { randomUUID } from 'node:crypto'
import { sessionsPerUser } from '@astropelago/contract/limits'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import type { AccountsStore } from './accounts-store.ts'
import { hashToken, makeToken } from '../../secret-token.ts'
import { unknownOrigin, type SessionOrigin } from './session-origin.ts'

interface StartSessionDeps {
  readonly store: AccountsStore
  readonly clock: Clock
}

interface StartSessionOptions {
  readonly origin?: SessionOrigin | undefined
  /** The hash that the password matched, if the user signed in with one. */
  readonly verifiedHash?: string
}

/**
 * Starts a session with a new token and ends the browser's previous session, no matter whose it was. A
 * token planted before sign-in is therefore worthless after it.
 * @returns the token for the cookie
 * @throws DomainError `invalid_credentials` if the password has changed since it was verified
 */
export async function startSession(
  { store, clock }: StartSessionDeps,
  userKey: number,
  presentedToken: string | undefined,
  { origin = unknownOrigin, verifiedHash }: StartSessionOptions = {},
): Promise<string> {
  const token = makeToken()
  const nowMs = clock()
  const started = await store.startSession(
    {
      tokenHash: hashToken(token),
      id: randomUUID(),
      userKey,
      ...origin,
      createdMs: nowMs,
      lastUsedMs: nowMs,
    },
    presentedToken === undefined ? null : hashToken(presentedToken),
    sessionsPerUser,
    verifiedHash,
  )
  if (started === undefined) throw new DomainError('invalid_credentials')
  return token
}
