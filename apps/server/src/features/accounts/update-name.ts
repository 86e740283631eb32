import { DomainError } from '../../domain-error.ts'
import type { AccountsStore, UserRecord } from './accounts-store.ts'

/** Changes the display name; null removes it. @throws DomainError `signed_out` when the user is gone */
export async function updateName(
  { store }: { readonly store: AccountsStore },
  userKey: number,
  name: string | null,
): Promise<UserRecord> {
  const user = await store.setName(userKey, name)
  if (user === undefined) throw new DomainError('signed_out')
  return user
}
