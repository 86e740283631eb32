import { randomUUID } from 'node:crypto'
import type { Credentials } from '@astropelago/contract/accounts'

/** A pair that no other test has, and that breaks no rule. */
export function newCredentials(): Credentials {
  const id = randomUUID()
  return { username: `Nav-${id.slice(0, 8)}`, password: `a long passphrase ${id}` }
}
