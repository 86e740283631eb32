import { passwordMaxLength } from '@astropelago/contract/limits'
import { codePointLength } from '@astropelago/contract/text'
import { DomainError } from '../../domain-error.ts'
import type { AccountsStore } from './accounts-store.ts'
import { foldUsername } from './fold-username.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'

export interface ConfirmPasswordDeps {
  readonly store: Pick<AccountsStore, 'findUser'>
  readonly passwordHasher: PasswordHasher
  readonly throttle: SignInThrottle
}

/** Who is signed in and asks for what a password is asked again for. */
export interface PasswordOwner {
  readonly userKey: number
  readonly username: string
}

/**
 * Asks again for the password of who is signed in: a browser that was left open, or a cookie that was
 * taken, is not enough. Tries count together with those of signing in.
 * @param address where the try comes from; null where no limit applies
 * @returns the hash that it fits
 * @throws DomainError `invalid_input`, `wrong_password`, `rate_limited`, `overloaded`
 */
export async function confirmPassword(
  { store, passwordHasher, throttle }: ConfirmPasswordDeps,
  owner: PasswordOwner,
  password: string,
  address: string | null,
): Promise<string> {
  const length = codePointLength(password)
  if (length === 0 || length > passwordMaxLength || !password.isWellFormed()) {
    throw new DomainError('invalid_input')
  }
  const username = foldUsername(owner.username)
  if (address !== null) throttle.admit(address, username)
  const user = await store.findUser(username)
  const passwordHash = user?.key === owner.userKey ? user.passwordHash : null
  const isRight = await passwordHasher.verify(passwordHash, password)
  if (address !== null) await throttle.slowDown(username)
  if (passwordHash === null || !isRight) {
    if (address !== null) throttle.noteFailure(username)
    throw new DomainError('wrong_password')
  }
  return passwordHash
}
