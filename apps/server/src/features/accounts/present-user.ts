import type { User } from '@astropelago/contract/accounts'

/** What a user sees of the own account. */
export function presentUser({ username, name, avatar, isNamePublic }: User): User {
  return { username, name, avatar, isNamePublic }
}
