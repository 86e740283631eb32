import type { Registration } from '@astropelago/contract/accounts'
import { movableClock } from '../../../test/movable-clock.ts'
import { openTestStorage } from '../../../test/open-test-storage.ts'
import { createPasswordHasher } from '../password-hasher.ts'
import { createSignInThrottle } from '../sign-in-throttle.ts'
import { sqlAccountsStore } from '../sql-accounts-store.ts'
import { sqlInvitesStore } from '../sql-invites-store.ts'
import { sqlOneTimeCodesStore } from '../sql-one-time-codes-store.ts'

/** The cheapest that argon2id allows. Tests that need the real cost set it themselves. */
export const cheapParameters = { memory: 8, passes: 1, parallelism: 1 }

/** The dependencies of the use cases, on a real, empty database and a clock that the test moves. */
export async function accountsTestDeps() {
  const storage = await openTestStorage()
  const { db } = storage
  const { now: clock, move } = movableClock()
  /** The delays that the throttle requested. */
  const waits: number[] = []
  /** The keys of devices whose changes were published. */
  const changedDevices: number[] = []
  storage.changes.subscribe('devices', ({ keys }) => void changedDevices.push(...keys))
  return {
    db,
    changedDevices,
    store: sqlAccountsStore(storage),
    codes: sqlOneTimeCodesStore(db),
    invites: sqlInvitesStore(db),
    registration: 'open' as Registration,
    clock,
    move,
    waits,
    throttle: createSignInThrottle({ clock, wait: async (ms) => waits.push(ms) }),
    passwordHasher: createPasswordHasher({ parameters: cheapParameters }),
    isOperator: () => false,
    commonPasswords: new Set(['sunshine', 'password1']),
  }
}
