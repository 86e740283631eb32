import { randomUUID } from 'node:crypto'
import type { Credentials } from '@astropelago/contract/accounts'

/** Valid credentials that no other test uses. */
export function newCredentials(): Credentials {
  const id = randomUUID()
  return { username: `Nav-${id.slice(0, 8)}`, password: `a long passphrase ${id}` }
}
