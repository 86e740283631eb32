import { DomainError } from '../../domain-error.ts'
import { UniqueViolation } from '../../storage/storage-error.ts'
import type { AccountsStore, NewUser, UserRecord } from './accounts-store.ts'

/**
 * Only the storage can tell which of two simultaneous registrations came first.
 * @throws DomainError `username_taken`
 */
export async function insertUser(
  store: Pick<AccountsStore, 'insertUser'>,
  user: NewUser,
): Promise<UserRecord> {
  try {
    return await store.insertUser(user)
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    throw new DomainError('username_taken', { cause: error })
  }
}
