import { useSearchParams } from 'react-router'
import { UserList } from './user-list.tsx'
import { UserPage } from './user-page.tsx'

/** All users, or the user in the address. */
export function Users() {
  const [parameters] = useSearchParams()
  const username = parameters.get('user')
  return username === null ? <UserList /> : <UserPage key={username} username={username} />
}
