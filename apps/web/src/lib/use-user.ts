import type { User } from '@astropelago/contract/me'
import { createContext, use } from 'react'

export const UserContext = createContext<User | null>(null)

/** Only below the route guard. */
export function useUser(): User {
  const user = use(UserContext)
  if (user === null) throw new Error('useUser needs the route guard around it')
  return user
}
