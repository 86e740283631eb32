import { brokenPasswordRule } from '@astropelago/contract/accounts'
import { DomainError } from '../../domain-error.ts'
import { isCommonPassword, type CommonPasswords } from './common-passwords.ts'

/**
 * Checks a new password.
 * @throws DomainError `weak_password`, `common_password`, or `invalid_input` if it is too long
 */
export function checkNewPassword(
  commonPasswords: CommonPasswords,
  password: string,
  username: string,
): void {
  const broken = brokenPasswordRule(password)
  if (broken === 'password-short') throw new DomainError('weak_password')
  if (broken === 'password-long') throw new DomainError('invalid_input')
  // UTF-8 can't encode a lone surrogate: all of them would be hashed as the same character.
  if (!password.isWellFormed()) throw new DomainError('invalid_input')
  if (isCommonPassword(commonPasswords, password, username)) {
    throw new DomainError('common_password')
  }
}
