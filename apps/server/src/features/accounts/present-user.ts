import { avatarPath } from '@astropelago/contract/avatars'
import type { User } from '@astropelago/contract/me'
import type { UserCaller } from '../../http/callers.ts'
import type { UserRecord } from './accounts-store.ts'
import type { IsOperator } from './operator/is-operator.ts'

/** What users see of their own account. */
export function presentUser(user: UserRecord | UserCaller, isOperator: IsOperator): User {
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
