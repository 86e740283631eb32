import { passwordMaxLength } from '@astropelago/contract/limits'
import { codePointLength } from '@astropelago/contract/text'
import { DomainError } from '../../domain-error.ts'
import type { UserCaller } from '../../http/callers.ts'
import type { AccountsParts } from './accounts-parts.ts'
import { foldUsername } from './fold-username.ts'

type VerifyDeps = Pick<AccountsParts, 'store' | 'passwordHasher' | 'throttle'>

/** Costs the same for an unknown username. @throws DomainError `invalid_input`, `rate_limited`, `overloaded` */
export async function verifyPassword(
  { store, passwordHasher, throttle }: VerifyDeps,
  foldedUsername: string,
  password: string,
  address: string | null,
) {
  const length = codePointLength(password)
  if (length === 0 || length > passwordMaxLength || !password.isWellFormed()) {
    throw new DomainError('invalid_input')
  }
  if (address !== null) throttle.admit(address, foldedUsername)
  const user = await store.findUser(foldedUsername)
  const passwordHash = user?.passwordHash ?? null
  const isRight = await passwordHasher.verify(passwordHash, password)
  // After the hash, so that a full hash queue is reported without this delay.
  if (address !== null) await throttle.slowDown(foldedUsername)
  if (isRight) return { user, passwordHash }
  if (address !== null) throttle.recordFailure(foldedUsername)
  return { user, passwordHash: null }
}

/** An unattended browser or a stolen cookie is not enough. @throws DomainError `wrong_password` */
export async function confirmPassword(
  deps: VerifyDeps,
  owner: Pick<UserCaller, 'userKey' | 'username'>,
  password: string,
  address: string | null,
): Promise<string> {
  const username = foldUsername(owner.username)
  const { user, passwordHash } = await verifyPassword(deps, username, password, address)
  if (passwordHash === null || user?.key !== owner.userKey) throw new DomainError('wrong_password')
  return passwordHash
}
