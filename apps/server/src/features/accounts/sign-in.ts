import { brokenCredentialRule, type Credentials } from '@astropelago/contract/accounts'
import { passwordMaxLength, usernamePattern } from '@astropelago/contract/limits'
import { codePointLength } from '@astropelago/contract/text'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import type { AccountsStore, UserRecord } from './accounts-store.ts'
import { foldUsername } from './fold-username.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'
import type { SessionOrigin } from './session-origin.ts'
import { startSession } from './start-session.ts'

interface SignInDeps {
  readonly store: AccountsStore
  readonly clock: Clock
  readonly passwordHasher: PasswordHasher
  readonly throttle: SignInThrottle
}

interface SignInOptions {
  /** The client's address; null if no limit applies. */
  readonly address: string | null
  /** The session token that the browser already has. */
  readonly presentedToken: string | undefined
  readonly origin?: SessionOrigin
}

export interface SignedIn {
  readonly user: UserRecord
  /** For the cookie. */
  readonly token: string
}

/** Wrong username or password. `userKey` is for the log only, never for the answer. */
export class SignInFailed extends DomainError {
  readonly userKey: number | null

  constructor(userKey: number | null) {
    super('invalid_credentials')
    this.userKey = userKey
  }
}

/**
 * Signs in with a password. An unknown username takes the same steps and costs the same hash as a known
 * one.
 * @throws DomainError `invalid_input`, `rate_limited`, `overloaded`, `account_disabled`, or SignInFailed
 */
export async function signIn(
  { store, clock, passwordHasher, throttle }: SignInDeps,
  credentials: Credentials,
  { address, presentedToken, origin }: SignInOptions,
): Promise<SignedIn> {
  const { password } = credentials
  if (
    brokenCredentialRule(credentials) === 'required' ||
    codePointLength(password) > passwordMaxLength ||
    !password.isWellFormed()
  ) {
    throw new DomainError('invalid_input')
  }
  const username = knownShape(credentials.username)

  if (address !== null) throttle.admit(address, username)
  const user = await store.findUser(username)
  const isRight = await passwordHasher.verify(user?.passwordHash ?? null, password)
  // After the hash, so that a full hash queue is reported without this delay.
  if (address !== null) await throttle.slowDown(username)
  if (user === undefined || user.passwordHash === null || !isRight) {
    if (address !== null) throttle.noteFailure(username)
    throw new SignInFailed(user?.key ?? null)
  }
  // Reveal this only to somebody who knows the password.
  if (user.disabledMs !== null) throw new DomainError('account_disabled')

  const verifiedHash = await renewHash(
    { store, passwordHasher },
    user.key,
    user.passwordHash,
    password,
  )
  return {
    user,
    token: await startSession({ store, clock }, user.key, presentedToken, { origin, verifiedHash }),
  }
}

/**
 * Folds a username. Everything that can't be a username becomes the empty string, so it counts as one in
 * the throttle.
 */
function knownShape(username: string): string {
  const trimmed = username.trim()
  return usernamePattern.test(trimmed) ? foldUsername(trimmed) : ''
}

/**
 * Rehashes with today's parameters, now that the password is known.
 * @returns the hash in use
 */
async function renewHash(
  { store, passwordHasher }: Pick<SignInDeps, 'store' | 'passwordHasher'>,
  userKey: number,
  from: string,
  password: string,
): Promise<string> {
  if (!passwordHasher.needsRehash(from)) return from
  const to = await passwordHasher.hash(password)
  await store.renewPasswordHash(userKey, from, to)
  return to
}
