import type { AccountsStore, EndedUser } from './accounts-store.ts'

export interface EndUserDeps {
  readonly store: Pick<AccountsStore, 'deleteUser'>
  /** Called once storage no longer has the islands, to notify the users concerned. */
  readonly noteIslandsEnd: (ended: Pick<EndedUser, 'islands' | 'otherIslandKeys'>) => void
}

/**
 * Deletes a user with everything they own, such as sessions, devices and islands.
 * @returns how many devices were deleted
 */
export async function endUser(
  { store, noteIslandsEnd }: EndUserDeps,
  userKey: number,
): Promise<number> {
  const ended = await store.deleteUser(userKey)
  noteIslandsEnd(ended)
  return ended.deviceCount
}
