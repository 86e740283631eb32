import type { Clock } from '../../clock.ts'
import type { AccountsStore } from './accounts-store.ts'
import { endUser, type EndUserDeps } from './end-user.ts'
import { sessionsOverAt } from './session-lifetime.ts'

/** So many users are read at once, so that a long absence does not fill the memory. */
const usersAtOnce = 100

interface DeleteExpiredDeps extends EndUserDeps {
  readonly store: AccountsStore
  readonly clock: Clock
}

/** Deletes the sessions that are over and the demo users whose time is up; tells how many. */
export async function deleteExpired({
  store,
  clock,
  forgetDevice,
}: DeleteExpiredDeps): Promise<{ readonly sessions: number; readonly users: number }> {
  const nowMs = clock()
  const sessions = await store.deleteSessions(sessionsOverAt(nowMs))
  let users = 0
  for (;;) {
    const expired = await store.listExpiredUsers(nowMs, usersAtOnce)
    for (const user of expired) await endUser({ store, forgetDevice }, user.key)
    users += expired.length
    if (expired.length < usersAtOnce) return { sessions, users }
  }
}
