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

/** The signed-in user who has to confirm an action with the password. */
export interface PasswordOwner {
  readonly userKey: number
  readonly username: string
}

/**
 * Asks the signed-in user for the password again, because an unattended browser or a stolen cookie must not
 * be enough. Tries count towards the sign-in limits.
 * @param address the client's address; null if no limit applies
 * @returns the hash that the password matches
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
