import { expect, test, vi } from 'vitest'
import { hashToken, makeToken } from '../../secret-token.ts'
import { StorageUnavailable } from '../../storage/storage-error.ts'
import { movableClock } from '../../test/movable-clock.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import type { AccountsStore } from './accounts-store.ts'
import { HeldSessions } from './held-sessions.ts'
import { sqlAccountsStore } from './sql-accounts-store.ts'
import { startSession } from './start-session.ts'

async function setUp() {
  const stored = sqlAccountsStore((await openTestStorage()).db)
  const findEndedSessions = vi.fn<AccountsStore['findEndedSessions']>(stored.findEndedSessions)
  const clock = movableClock()
  const held = new HeldSessions({ store: { findEndedSessions }, clock: clock.now })
  const user = await stored.insertUser({
    username: 'nova',
    passwordHash: 'hash',
    isDemo: false,
    createdMs: 0,
    expiresMs: null,
  })
  const hold = async () => {
    const token = await startSession({ store: stored, clock: clock.now }, user.key, undefined)
    const session = { tokenHash: hashToken(token), userKey: user.key }
    const onEnd = vi.fn<() => void>()
    return { session, onEnd, release: held.hold(session, onEnd) }
  }
  return { stored, held, hold, findEndedSessions, clock, user }
}

test('S22 S57 what another server ends is found by one query, however many are held', async () => {
  const { stored, held, hold, findEndedSessions } = await setUp()
  const [first, second, third] = [await hold(), await hold(), await hold()]
  await stored.endSession(first.session.tokenHash)
  await stored.endSession(third.session.tokenHash)
  await held.check()
  expect(findEndedSessions).toHaveBeenCalledOnce()
  expect([first, second, third].map(({ onEnd }) => onEnd.mock.calls.length)).toEqual([1, 0, 1])
  await held.check()
  expect(findEndedSessions.mock.lastCall?.[0]).toEqual([second.session.tokenHash])
  expect(first.onEnd).toHaveBeenCalledOnce()
})

test('S14 S22 a session that is over by time is found too', async () => {
  const { held, hold, clock } = await setUp()
  const { onEnd } = await hold()
  await held.check()
  expect(onEnd).not.toHaveBeenCalled()
  clock.move(400 * 86_400_000)
  await held.check()
  expect(onEnd).toHaveBeenCalledOnce()
})

test('what goes on no longer is not told, and of nothing nothing is asked', async () => {
  const { stored, held, hold, findEndedSessions, user } = await setUp()
  const { session, onEnd, release } = await hold()
  const others = vi.fn<() => void>()
  const releaseOther = held.hold(session, others)
  release()
  held.noteEnd(hashToken(makeToken()))
  held.noteUserEnd(user.key + 1)
  expect(others).not.toHaveBeenCalled()
  held.noteUserEnd(user.key)
  expect(others).toHaveBeenCalledOnce()
  releaseOther()
  await stored.endSession(session.tokenHash)
  await held.check()
  expect(findEndedSessions).not.toHaveBeenCalled()
  expect(onEnd).not.toHaveBeenCalled()
})

test('without storage nothing ends, and what ended meanwhile is found afterwards', async () => {
  const { stored, held, hold, findEndedSessions } = await setUp()
  const { session, onEnd } = await hold()
  await stored.endSession(session.tokenHash)
  findEndedSessions.mockRejectedValueOnce(new StorageUnavailable('it is away'))
  await held.check()
  expect(onEnd).not.toHaveBeenCalled()
  await held.check()
  expect(onEnd).toHaveBeenCalledOnce()
})
