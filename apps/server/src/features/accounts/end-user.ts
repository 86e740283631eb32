import type { AccountsStore } from './accounts-store.ts'

export interface EndUserDeps {
  readonly store: Pick<AccountsStore, 'deleteUser'>
  /** To be called when storage has a device no longer: forgets what else is known of it. */
  readonly forgetDevice: (deviceKey: number) => void
}

/** Deletes a user with all there is of them, such as sessions and devices. */
export async function endUser(
  { store, forgetDevice }: EndUserDeps,
  userKey: number,
): Promise<void> {
  for (const deviceKey of await store.deleteUser(userKey)) forgetDevice(deviceKey)
}
