import { expect, test, vi } from 'vitest'
import { hashToken } from '../../secret-token.ts'
import { StorageUnavailable } from '../../storage/storage-error.ts'
import { movableClock } from '../../test/movable-clock.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import type { AccountsStore } from './accounts-store.ts'
import { sqlAccountsStore } from './sql-accounts-store.ts'
import { startSession } from './start-session.ts'
import { watchedSessions } from './watched-sessions.ts'

async function setUp() {
  const stored = sqlAccountsStore(await openTestStorage())
  const findEndedSessions = vi.fn<AccountsStore['findEndedSessions']>(stored.findEndedSessions)
  const clock = movableClock()
  const watched = watchedSessions({ store: { findEndedSessions }, clock: clock.now })
  const user = await stored.insertUser({
    username: 'nova',
    passwordHash: 'hash',
    isDemo: false,
    createdMs: 0,
    expiresMs: null,
  })
  const watch = async () => {
    const token = await startSession({ store: stored, clock: clock.now }, user.key, undefined)
    const session = { tokenHash: hashToken(token), userKey: user.key }
    return { session, ...watched.watch(session) }
  }
  return { stored, watched, watch, findEndedSessions, clock, user }
}

test('S22 S57 one query finds the sessions that another server ended, however many are watched', async () => {
  const { stored, watched, watch, findEndedSessions } = await setUp()
  const [first, second, third] = [await watch(), await watch(), await watch()]
  const ofFirst = watched.watch(first.session)
  await stored.endSession(first.session.tokenHash)
  await stored.endSession(third.session.tokenHash)
  await watched.check()
  expect(findEndedSessions).toHaveBeenCalledOnce()
  const hasEnded = [first, ofFirst, second, third].map(({ signal }) => signal.aborted)
  expect(hasEnded).toEqual([true, true, false, true])
  await watched.check()
  expect(findEndedSessions.mock.lastCall?.[0]).toEqual([second.session.tokenHash])
})

test('S14 S22 an expired session is found too', async () => {
  const { watched, watch, clock } = await setUp()
  const { signal } = await watch()
  await watched.check()
  expect(signal.aborted).toBe(false)
  clock.move(400 * 86_400_000)
  await watched.check()
  expect(signal.aborted).toBe(true)
})

test('a stopped watcher is not notified, and without watchers there is no query', async () => {
  const { stored, watched, watch, findEndedSessions, user } = await setUp()
  const { session, signal, stop } = await watch()
  const other = watched.watch(session)
  stop()
  await stored.endSession(session.tokenHash)
  await watched.checkUsers([user.key + 1])
  expect(findEndedSessions).not.toHaveBeenCalled()
  expect(other.signal.aborted).toBe(false)
  await watched.checkUsers([user.key])
  expect(other.signal.aborted).toBe(true)
  await watched.check()
  expect(findEndedSessions).toHaveBeenCalledOnce()
  expect(signal.aborted).toBe(false)
})

test('while the storage is unavailable nothing ends, and ended sessions are found afterwards', async () => {
  const { stored, watched, watch, findEndedSessions } = await setUp()
  const { session, signal } = await watch()
  await stored.endSession(session.tokenHash)
  findEndedSessions.mockRejectedValueOnce(new StorageUnavailable('it is away'))
  await watched.check()
  expect(signal.aborted).toBe(false)
  await watched.check()
  expect(signal.aborted).toBe(true)
})
