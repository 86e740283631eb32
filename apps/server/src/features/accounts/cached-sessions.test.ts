import { expect, test, vi } from 'vitest'
import { hashToken, makeToken } from '../../secret-token.ts'
import { movableClock } from '../../test/movable-clock.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import { describeAccountsStore } from './accounts-store.contract.ts'
import type { AccountsStore } from './accounts-store.ts'
import { cachedSessions } from './cached-sessions.ts'
import { sqlOneTimeCodesStore } from './sql-one-time-codes-store.ts'
import { watchedSessions } from './watched-sessions.ts'
import { sqlAccountsStore } from './sql-accounts-store.ts'

async function setUp() {
  const storage = await openTestStorage()
  const stored = sqlAccountsStore(storage)
  const codes = sqlOneTimeCodesStore(storage.db)
  const findSession = vi.fn<AccountsStore['findSession']>(stored.findSession)
  const clock = movableClock()
  const watched = watchedSessions({ store: stored, clock: clock.now })
  const { store, cachedSession, forgetAll } = cachedSessions({ ...stored, findSession }, clock.now)
  storage.changes.subscribe('users', async ({ keys }) => {
    forgetAll()
    await watched.checkUsers(keys)
  })
  const user = await store.insertUser({
    username: 'nova',
    passwordHash: 'hash',
    isDemo: false,
    createdMs: 0,
    expiresMs: null,
  })
  const token = makeToken()
  const tokenHash = hashToken(token)
  const origin = { id: 'first', device: null, addressFamily: null }
  const nowMs = clock.now()
  const session = {
    ...origin,
    tokenHash,
    userKey: user.key,
    createdMs: nowMs,
    lastUsedMs: nowMs,
  }
  await store.startSession(session, null, 50)
  const known = () => cachedSession(token)
  return { store, db: storage.db, codes, watched, clock, findSession, known, session, user }
}

describeAccountsStore('SQLite with sessions cached', async () => {
  const storage = await openTestStorage()
  const { store, forgetAll } = cachedSessions(sqlAccountsStore(storage), movableClock().now)
  storage.changes.subscribe('users', forgetAll)
  return store
})

test('a session is queried once in 900 ms, however many requests it sends', async () => {
  const { store, clock, findSession, session, user } = await setUp()
  await Promise.all([store.findSession(session.tokenHash), store.findSession(session.tokenHash)])
  clock.move(900)
  expect(await store.findSession(session.tokenHash)).toMatchObject({ user })
  expect(findSession).toHaveBeenCalledOnce()
  clock.move(1)
  await store.findSession(session.tokenHash)
  expect(findSession).toHaveBeenCalledTimes(2)
})

test('S22 a session whose end is not published is over within a second', async () => {
  const { store, db, clock, session, known } = await setUp()
  await store.findSession(session.tokenHash)
  await db.deleteFrom('sessions').execute()
  clock.move(1000)
  expect(known()).toBeUndefined()
  expect(await store.findSession(session.tokenHash)).toBeUndefined()
})

type Setting = Awaited<ReturnType<typeof setUp>>

const ends: [string, (setting: Setting) => Promise<unknown>][] = [
  ['signed out', ({ store, session }) => store.endSession(session.tokenHash)],
  ['ended by its id', ({ store, user }) => store.endOwnSession(user.key, 'first')],
  [
    'ended from another browser',
    ({ store, user }) => store.endOtherSessions(user.key, new Uint8Array(32)),
  ],
  [
    'of before a change of password',
    ({ store, user }) => store.replacePassword(user.key, 'hash', 'other'),
  ],
  [
    'of before a new password by a code',
    async ({ store, codes, user }) => {
      const codeHash = new Uint8Array(32).fill(7)
      const code = { userKey: user.key, purpose: 'password', email: null, expiresMs: 9 } as const
      await codes.insert({ ...code, codeHash }, 5)
      await store.resetPassword(codeHash, 1, 'other')
    },
  ],
  ['ended with all of its user', ({ store, user }) => store.endSessions(user.key)],
  ['of who is turned off', ({ store, user }) => store.setDisabled(user.key, 1)],
  ['deleted with its user', ({ store, user }) => store.deleteUser(user.key)],
  [
    'replaced',
    ({ store, session }) =>
      store.startSession(
        { ...session, id: 'second', tokenHash: new Uint8Array(32) },
        session.tokenHash,
        50,
      ),
  ],
  [
    'one too many',
    ({ store, session }) =>
      store.startSession(
        {
          ...session,
          id: 'second',
          tokenHash: new Uint8Array(32),
          createdMs: session.createdMs + 1,
        },
        null,
        1,
      ),
  ],
]

test.each([
  ...ends,
  [
    'over',
    async ({ store, session: { createdMs, lastUsedMs } }: Setting) =>
      await store.deleteSessions({ createdMs, lastUsedMs }),
  ] as const,
])('S14 a session that is %s is over at once', async (_, end) => {
  const setting = await setUp()
  const { store, session, known } = setting
  await store.findSession(session.tokenHash)
  await end(setting)
  expect(known()).toBeUndefined()
  expect(await store.findSession(session.tokenHash)).toBeUndefined()
})

test.each(ends)(
  'S22 S57 a watcher of a session that is %s is notified at once, and watchers of other sessions are not',
  async (_, end) => {
    const setting = await setUp()
    const { store, watched, session } = setting
    const stranger = await store.insertUser({
      username: 'stranger',
      passwordHash: 'hash',
      isDemo: false,
      createdMs: 0,
      expiresMs: null,
    })
    const { signal } = watched.watch(session)
    const other = watched.watch({
      tokenHash: new Uint8Array(32).fill(1),
      userKey: stranger.key,
    })
    await store.recordSessionUse(session.tokenHash, session.lastUsedMs + 1)
    await store.update(session.userKey, { name: 'Nova' })
    await store.replacePassword(session.userKey, 'not it', 'other')
    expect(signal.aborted).toBe(false)
    await end(setting)
    expect([signal.aborted, other.signal.aborted]).toEqual([true, false])
  },
)

test('a new name and a recorded use are seen at once', async () => {
  const { store, session, user } = await setUp()
  await store.findSession(session.tokenHash)
  await store.update(user.key, { name: 'Nova' })
  expect(await store.findSession(session.tokenHash)).toMatchObject({ user: { name: 'Nova' } })
  const lastUsedMs = session.lastUsedMs + 5
  await store.recordSessionUse(session.tokenHash, lastUsedMs)
  expect(await store.findSession(session.tokenHash)).toMatchObject({ session: { lastUsedMs } })
})

test('an unknown token is queried each time, and a failed query is not cached', async () => {
  const { store, findSession, session } = await setUp()
  const nobodys = new Uint8Array(32).fill(9)
  await store.findSession(nobodys)
  await store.findSession(nobodys)
  expect(findSession).toHaveBeenCalledTimes(2)
  findSession.mockRejectedValueOnce(new Error('the disk is gone'))
  await expect(store.findSession(session.tokenHash)).rejects.toThrow('the disk is gone')
  expect(await store.findSession(session.tokenHash)).toBeDefined()
})

test('a session is cached from its query until it expires from the cache', async () => {
  const { store, clock, session, user, known, findSession } = await setUp()
  expect(known()).toBeUndefined()
  const asked = store.findSession(session.tokenHash)
  expect(known()).toBeUndefined()
  await asked
  expect(known()).toMatchObject({ user, session })
  clock.move(900)
  expect(known()).toBeDefined()
  clock.move(1)
  expect(known()).toBeUndefined()
  expect(findSession).toHaveBeenCalledOnce()
})
