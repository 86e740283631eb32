import type { AccountsStore } from './accounts-store.ts'
import { hashToken } from '../../secret-token.ts'

/**
 * Ends the session on the server.
 * @returns the user's key; undefined if there was no session
 */
export async function signOut(
  { store }: { readonly store: AccountsStore },
  token: string,
): Promise<number | undefined> {
  const session = await store.endSession(hashToken(token))
  return session?.userKey
}
