import type { AccountsStore } from './accounts-store.ts'

export interface EndUserDeps {
  readonly store: Pick<AccountsStore, 'deleteUser'>
  /** To be called when storage has a device no longer: forgets what else is known of it. */
  readonly forgetDevice: (deviceKey: number) => void
}

/**
 * Deletes a user with all there is of them, such as sessions and devices.
 * @returns how many devices that were
 */
export async function endUser(
  { store, forgetDevice }: EndUserDeps,
  userKey: number,
): Promise<number> {
  const deviceKeys = await store.deleteUser(userKey)
  for (const deviceKey of deviceKeys) forgetDevice(deviceKey)
  return deviceKeys.length
}
