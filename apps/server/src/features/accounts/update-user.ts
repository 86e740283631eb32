import type { UserChanges } from '@astropelago/contract/accounts'
import { DomainError } from '../../domain-error.ts'
import type { AccountsStore, UserRecord } from './accounts-store.ts'

/** Changes what the user may change of the own account. @throws DomainError `signed_out` when the user is gone */
export async function updateUser(
  { store }: { readonly store: AccountsStore },
  userKey: number,
  changes: UserChanges,
): Promise<UserRecord> {
  const user = await store.update(userKey, changes)
  if (user === undefined) throw new DomainError('signed_out')
  return user
}
