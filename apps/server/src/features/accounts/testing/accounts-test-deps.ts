import type { Registration } from '@astropelago/contract/accounts'
import { movableClock } from '../../../test/movable-clock.ts'
import { openTestStorage } from '../../../test/open-test-storage.ts'
import { createPasswordHasher } from '../password-hasher.ts'
import { createSignInThrottle } from '../sign-in-throttle.ts'
import { sqlAccountsStore } from '../sql-accounts-store.ts'
import { sqlInvitesStore } from '../sql-invites-store.ts'
import { sqlOneTimeCodesStore } from '../sql-one-time-codes-store.ts'

/** As cheap as argon2id gets; what it costs in earnest is tested where it matters. */
export const cheapParameters = { memory: 8, passes: 1, parallelism: 1 }

/** What the use cases need, on a real, empty database and a clock that the test moves. */
export async function accountsTestDeps() {
  const { db } = await openTestStorage()
  const { now: clock, move } = movableClock()
  /** The waits that the throttle asked for. */
  const waits: number[] = []
  return {
    db,
    store: sqlAccountsStore(db),
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
