import { avatarPath } from '@astropelago/contract/avatars'
import type { User } from '@astropelago/contract/me'
import { DomainError } from '../../domain-error.ts'
import type { UserCaller } from '../../http/callers.ts'
import type { IsOperator } from './accounts-parts.ts'
import type { UserRecord } from './accounts-store.ts'

/** What users see of their own account. @throws DomainError `signed_out` if it was deleted meanwhile */
export function presentUser(
  user: UserRecord | UserCaller | undefined,
  isOperator: IsOperator,
): User {
  if (user === undefined) throw new DomainError('signed_out')
  const { username, name, avatar, hue, isNamePublic, isDemo } = user
  return {
    username,
    name,
    avatar: avatarPath(avatar),
    hue,
    isNamePublic,
    isDemo,
    isOperator: isOperator(user),
  }
}
