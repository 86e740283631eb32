import type { AccountsStore, EndedUser } from './accounts-store.ts'

export interface EndUserDeps {
  readonly store: Pick<AccountsStore, 'deleteUser'>
  /** To be called when storage has a device no longer: forgets what else is known of it. */
  readonly forgetDevice: (deviceKey: number) => void
  /** To be called when storage has them no longer: tells whom it concerns. */
  readonly noteIslandsEnd: (ended: Pick<EndedUser, 'islands' | 'otherIslandKeys'>) => void
}

/**
 * Deletes a user with all there is of them, such as sessions, devices and islands.
 * @returns how many devices that were
 */
export async function endUser(
  { store, forgetDevice, noteIslandsEnd }: EndUserDeps,
  userKey: number,
): Promise<number> {
  const ended = await store.deleteUser(userKey)
  for (const deviceKey of ended.deviceKeys) forgetDevice(deviceKey)
  noteIslandsEnd(ended)
  return ended.deviceKeys.length
}
