import { brokenPasswordRule } from '@astropelago/contract/accounts'
import { DomainError } from '../../domain-error.ts'
import { isCommonPassword, type CommonPasswords } from './common-passwords.ts'

/**
 * Judges a password that somebody chose.
 * @throws DomainError `weak_password`, `common_password`, or `invalid_input` for one that is too long
 */
export function checkNewPassword(
  commonPasswords: CommonPasswords,
  password: string,
  username: string,
): void {
  const broken = brokenPasswordRule(password)
  if (broken === 'password-short') throw new DomainError('weak_password')
  if (broken === 'password-long') throw new DomainError('invalid_input')
  // Half a surrogate pair has no bytes of its own: all of them would be hashed as the same sign.
  if (!password.isWellFormed()) throw new DomainError('invalid_input')
  if (isCommonPassword(commonPasswords, password, username)) {
    throw new DomainError('common_password')
  }
}
