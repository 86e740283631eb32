import type { RuntimeUser } from '@astropelago/contract/island-runtime'
import type { Author } from '@astropelago/contract/rooms'

/** Whoever did not say who they are has no id, and is called somebody. */
export interface Person {
  readonly id: string | null
  readonly name: string
}

/** A visitor who said who they are. The other names are those of the site’s own `spark`. */
export interface User {
  /** The same at each visit, and different on each island. */
  readonly id: string
  readonly name: string
  readonly username: string
  readonly login: string
  readonly avatar: null
  readonly avatarUrl: null
  readonly isHost: boolean
}

export function personOf(author: Author): Person {
  return author ?? { id: null, name: 'somebody' }
}

export function userOf(user: RuntimeUser | null): User | null {
  if (user === null) return null
  const { id, name, isHost } = user
  return { id, name, username: id, login: id, avatar: null, avatarUrl: null, isHost }
}
