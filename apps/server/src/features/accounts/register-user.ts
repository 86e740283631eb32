import {
  brokenCredentialRule,
  type CredentialRule,
  type Credentials,
} from '@astropelago/contract/accounts'
import type { ErrorCode } from '@astropelago/contract/errors'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import type { AccountsStore } from './accounts-store.ts'
import { isCommonPassword, type CommonPasswords } from './common-passwords.ts'
import { insertUser } from './insert-user.ts'
import type { IsOperator } from './operator/is-operator.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { SignedIn } from './sign-in.ts'
import { startSession } from './start-session.ts'

interface RegisterUserDeps {
  readonly store: AccountsStore
  readonly clock: Clock
  readonly passwordHasher: PasswordHasher
  readonly commonPasswords: CommonPasswords
  readonly isOperator: IsOperator
}

const codeOfRule: Readonly<Record<CredentialRule, ErrorCode>> = {
  required: 'invalid_input',
  username: 'invalid_username',
  'password-short': 'weak_password',
  'password-long': 'invalid_input',
}

/**
 * Makes an account and signs it in.
 * @throws DomainError with the first rule that is broken, `username_taken` last
 */
export async function registerUser(
  { store, clock, passwordHasher, commonPasswords, isOperator }: RegisterUserDeps,
  credentials: Credentials,
  presentedToken: string | undefined,
): Promise<SignedIn> {
  const broken = brokenCredentialRule(credentials)
  if (broken !== undefined) throw new DomainError(codeOfRule[broken])
  const username = credentials.username.trim()
  const { password } = credentials
  // Half a surrogate pair has no bytes of its own: all of them would be hashed as the same sign.
  if (!password.isWellFormed()) throw new DomainError('invalid_input')
  if (isCommonPassword(commonPasswords, password, username)) {
    throw new DomainError('common_password')
  }
  // The command line makes it: whoever comes first must not become the operator.
  if (isOperator({ username, isDemo: false })) throw new DomainError('username_taken')

  const user = await insertUser(store, {
    username,
    passwordHash: await passwordHasher.hash(password),
    isDemo: false,
    createdMs: clock(),
    expiresMs: null,
  })
  return { user, token: await startSession({ store, clock }, user.key, presentedToken) }
}
