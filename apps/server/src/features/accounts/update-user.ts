import type { UserChanges } from '@astropelago/contract/accounts'
import { DomainError } from '../../domain-error.ts'
import type { AccountsStore, UserRecord } from './accounts-store.ts'

/**
 * Changes the user's own settings.
 * @throws DomainError `signed_out` if the user no longer exists
 */
export async function updateUser(
  { store }: { readonly store: AccountsStore },
  userKey: number,
  changes: UserChanges,
): Promise<UserRecord> {
  const user = await store.update(userKey, changes)
  if (user === undefined) throw new DomainError('signed_out')
  return user
}
