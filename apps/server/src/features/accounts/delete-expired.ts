import type { Clock } from '../../clock.ts'
import type { AccountsStore } from './accounts-store.ts'
import type { InvitesStore } from './invites-store.ts'
import type { OneTimeCodesStore } from './one-time-codes-store.ts'
import { sessionsOverAt } from './session-lifetime.ts'

/** Users read at once, so that the backlog of a long downtime does not fill the memory. */
const usersAtOnce = 100

/** How long an expired invite stays in the operator's list. */
const inviteShownMs = 30 * 86_400_000

interface DeleteExpiredDeps {
  readonly store: AccountsStore
  readonly codes: Pick<OneTimeCodesStore, 'deleteExpired'>
  readonly invites: Pick<InvitesStore, 'deleteExpired'>
  readonly clock: Clock
}

/** Deletes expired sessions, codes, invites and demo users. */
export async function deleteExpired({
  store,
  codes,
  invites,
  clock,
}: DeleteExpiredDeps): Promise<{ readonly sessions: number; readonly users: number }> {
  const nowMs = clock()
  const sessions = await store.deleteSessions(sessionsOverAt(nowMs))
  await codes.deleteExpired(nowMs)
  await invites.deleteExpired(nowMs - inviteShownMs)
  let users = 0
  for (;;) {
    const expired = await store.listExpiredUsers(nowMs, usersAtOnce)
    for (const user of expired) await store.deleteUser(user.key)
    users += expired.length
    if (expired.length < usersAtOnce) return { sessions, users }
  }
}
