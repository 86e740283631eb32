import type { AccountsStore } from './accounts-store.ts'
import { hashSessionToken } from './session-token.ts'

/** Ends the session on the server. @returns whose it was, undefined when there was none */
export async function signOut(
  { store }: { readonly store: AccountsStore },
  token: string,
): Promise<number | undefined> {
  const session = await store.endSession(hashSessionToken(token))
  return session?.userKey
}
