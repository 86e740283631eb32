import type { User } from '@astropelago/contract/accounts'

/** What a user sees of the own account. */
export function presentUser({ username, name, avatar }: User): User {
  return { username, name, avatar }
}
