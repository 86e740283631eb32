import type { AccountsStore } from './accounts-store.ts'
import { hashToken } from '../../secret-token.ts'

/** Ends the session on the server. @returns whose it was, undefined when there was none */
export async function signOut(
  { store }: { readonly store: AccountsStore },
  token: string,
): Promise<number | undefined> {
  const session = await store.endSession(hashToken(token))
  return session?.userKey
}
