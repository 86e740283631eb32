import { DomainError } from '../../domain-error.ts'
import { UniqueViolation } from '../../storage/storage-error.ts'
import {
  InviteUnusable,
  type AccountsStore,
  type NewUser,
  type UserRecord,
} from './accounts-store.ts'

/**
 * Only the storage can tell which of two simultaneous registrations came first.
 * @param inviteHash hash of the invite to use, if any
 * @throws DomainError `username_taken`, `invalid_invite`
 */
export async function insertUser(
  store: Pick<AccountsStore, 'insertUser'>,
  user: NewUser,
  inviteHash?: Uint8Array,
): Promise<UserRecord> {
  try {
    return await store.insertUser(user, inviteHash)
  } catch (error) {
    if (error instanceof InviteUnusable) throw new DomainError('invalid_invite', { cause: error })
    if (!(error instanceof UniqueViolation)) throw error
    throw new DomainError('username_taken', { cause: error })
  }
}
