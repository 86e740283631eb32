import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { ReferenceViolation, UniqueViolation } from '../../storage/storage-error.ts'
import type { AccountsStore, NewUser, SessionRecord } from './accounts-store.ts'
import { hashToken, makeToken } from '../../secret-token.ts'

/** What every accounts store must do. `open` gives each test an empty store. */
export function describeAccountsStore(name: string, open: () => Promise<AccountsStore>): void {
  describe(`accounts store on ${name}`, () => {
    test('a user is stored as given and found ignoring case', async () => {
      const store = await open()
      const user = await store.insertUser(newUser({ username: 'Nova_Scout-7' }))
      expect(user).toEqual({
        ...newUser({ username: 'Nova_Scout-7' }),
        key: user.key,
        name: null,
        avatar: null,
        hue: null,
        isNamePublic: false,
        disabledMs: null,
      })
      expect(await store.findUser('nova_scout-7')).toEqual(user)
      expect(await store.findUser('NOVA_SCOUT-7')).toEqual(user)
      expect(await store.findUser('nova_scout-8')).toBeUndefined()
    })

    test('a demo user keeps its expiry and has no password', async () => {
      const store = await open()
      const demo = newUser({ passwordHash: null, isDemo: true, expiresMs: 1_800_000_000_000 })
      expect(await store.insertUser(demo)).toMatchObject(demo)
    })

    test('a picture has one name until its user replaces or removes it', async () => {
      const store = await open()
      const [nova, other] = [await store.insertUser(newUser()), await store.insertUser(newUser())]
      const [image, another] = [new Uint8Array([0, 255, 7]), new Uint8Array(60_000).fill(1)]
      const nameOf = async (userKey: number, bytes: Uint8Array) =>
        (await store.setAvatar(userKey, bytes))?.avatar ?? ''
      const first = await nameOf(nova.key, image)
      expect(first).toMatch(/^[0-9a-f]{32}$/)
      expect(await nameOf(nova.key, image)).toBe(first)
      expect(await nameOf(other.key, image)).not.toBe(first)
      expect((await store.findUser(nova.username))?.avatar).toBe(first)
      expect(await store.readAvatar(first)).toEqual(image)
      expect(await store.readAvatarOf(nova.key)).toEqual(image)

      const anotherName = await nameOf(nova.key, another)
      expect(await store.readAvatar(first)).toBeUndefined()
      expect(await store.readAvatar(anotherName)).toEqual(another)
      await store.setDisabled(nova.key, 5)
      expect(await store.readAvatar(anotherName)).toBeUndefined()
      await store.setDisabled(nova.key, null)
      expect(await store.setAvatar(nova.key, null)).toMatchObject({ key: nova.key, avatar: null })
      expect(await store.readAvatar(anotherName)).toBeUndefined()
      expect(await store.readAvatarOf(nova.key)).toBeUndefined()

      await store.deleteUser(other.key)
      expect(await store.setAvatar(other.key, null)).toBeUndefined()
      await expect(store.setAvatar(other.key, image)).rejects.toThrow(ReferenceViolation)
    })

    test('of simultaneous uploads by one user, the last one stays intact', async () => {
      const store = await open()
      const { key, username } = await store.insertUser(newUser())
      const images = Array.from({ length: 5 }, (_, at) => new Uint8Array(100).fill(at))
      await Promise.all(images.map((image) => store.setAvatar(key, image)))
      const kept = (await store.findUser(username))?.avatar ?? ''
      expect(await store.readAvatar(kept)).toEqual(await store.readAvatarOf(key))
    })

    test('S5 a username in another case is a unique violation', async () => {
      const store = await open()
      await store.insertUser(newUser({ username: 'nova' }))
      await expect(store.insertUser(newUser({ username: 'NOVA' }))).rejects.toThrow(UniqueViolation)
    })

    test('S5 of many simultaneous insertions of one username exactly one succeeds', async () => {
      const store = await open()
      const results = await Promise.allSettled(
        ['nova', 'Nova', 'nOva', 'noVa'].map((username) => store.insertUser(newUser({ username }))),
      )
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const reasons = results.flatMap((result) => ('reason' in result ? [result.reason] : []))
      for (const reason of reasons) expect(reason).toBeInstanceOf(UniqueViolation)
    })

    test('S60 S40 no character of a username is a wildcard', async () => {
      const store = await open()
      await store.insertUser(newUser({ username: 'a_c' }))
      for (const other of ['abc', 'a%', 'a-c', '']) {
        expect(await store.findUser(other)).toBeUndefined()
      }
    })

    test('the name of one user is changed, removed and made public', async () => {
      const store = await open()
      const user = await store.insertUser(newUser({ username: 'nova' }))
      const other = await store.insertUser(newUser({ username: 'other' }))
      const named = { ...user, name: 'Nova 🛰' }
      expect(await store.update(user.key, { name: 'Nova 🛰' })).toEqual(named)
      const known = { ...named, isNamePublic: true }
      expect(await store.update(user.key, { isNamePublic: true })).toEqual(known)
      expect(await store.findUser('nova')).toEqual(known)
      expect(await store.findUser('other')).toEqual(other)
      const both = { name: null, isNamePublic: false }
      expect(await store.update(user.key, both)).toEqual(user)
      expect(await store.update(other.key + 1, { name: 'nobody' })).toBeUndefined()
    })

    test('the hash of one user is renewed, unless it has changed meanwhile', async () => {
      const store = await open()
      const user = await store.insertUser(newUser({ username: 'nova' }))
      const other = await store.insertUser(newUser({ username: 'other' }))
      await store.renewPasswordHash(user.key, 'hash', 'new')
      await store.renewPasswordHash(user.key, 'hash', 'late')
      expect(await store.findUser('nova')).toEqual({ ...user, passwordHash: 'new' })
      expect(await store.findUser('other')).toEqual(other)
    })

    test('S22 a new password ends all sessions of that user, and of nobody else', async () => {
      const store = await open()
      const { user, session } = await startSession(store)
      const stranger = await startSession(store)
      expect(await store.replacePassword(user.key, 'another', 'new')).toBe(false)
      expect(await store.findSession(session.tokenHash)).toBeDefined()
      expect(await store.replacePassword(user.key, 'hash', 'new')).toBe(true)
      expect(await store.replacePassword(user.key, 'hash', 'newer')).toBe(false)
      expect((await store.findUser(user.username))?.passwordHash).toBe('new')
      expect(await store.findSession(session.tokenHash)).toBeUndefined()
      expect(await store.findSession(stranger.session.tokenHash)).toEqual(stranger)
    })

    test('S22 no session starts with a password that was changed since it was verified', async () => {
      const store = await open()
      const user = await store.insertUser(newUser())
      const start = (verifiedHash: string) =>
        store.startSession(newSession(user.key), null, 50, verifiedHash)
      expect(await start('hash')).toBe(true)
      await store.replacePassword(user.key, 'hash', 'new')
      expect(await start('hash')).toBe(false)
      expect(await store.listSessions(user.key)).toEqual([])
      expect(await start('new')).toBe(true)
    })

    test('a user’s sessions are listed with their origin, last used first', async () => {
      const store = await open()
      const { user } = await startSession(store)
      await startSession(store)
      const phone = newSession(user.key, {
        device: 'Firefox on Android',
        addressFamily: 6,
        lastUsedMs: 9000,
      })
      await store.startSession(phone, null, 50)
      const listed = await store.listSessions(user.key)
      expect(listed).toHaveLength(2)
      expect(listed[0]).toEqual(phone)
      expect(listed[1]).toMatchObject({ device: null, addressFamily: null, lastUsedMs: 2000 })
    })

    test('only its own user ends a session by its id', async () => {
      const store = await open()
      const { user, session } = await startSession(store)
      const stranger = await startSession(store)
      expect(await store.endOwnSession(stranger.user.key, session.id)).toBeUndefined()
      expect(await store.endOwnSession(user.key, session.id)).toEqual(session)
      expect(await store.endOwnSession(user.key, session.id)).toBeUndefined()
      expect(await store.findSession(session.tokenHash)).toBeUndefined()
    })

    test('all other sessions of one user are ended', async () => {
      const store = await open()
      const { user, session } = await startSession(store)
      const stranger = await startSession(store)
      const others = [newSession(user.key), newSession(user.key)]
      for (const other of others) await store.startSession(other, null, 50)
      expect(await store.endOtherSessions(user.key, session.tokenHash)).toBe(2)
      expect(await store.listSessions(user.key)).toEqual([session])
      expect(await store.findSession(stranger.session.tokenHash)).toEqual(stranger)
    })

    test('a session is found with its user, by its exact token hash', async () => {
      const store = await open()
      const { user, session } = await startSession(store)
      expect(await store.findSession(session.tokenHash)).toEqual({ session, user })
      expect(await store.findSession(hashToken('other'))).toBeUndefined()
      expect(await store.findSession(session.tokenHash.slice(0, 31))).toBeUndefined()
    })

    test('a new session replaces only the one it names', async () => {
      const store = await open()
      const replaced = await startSession(store)
      const kept = await startSession(store)
      const added = newSession(kept.user.key)
      await store.startSession(added, replaced.session.tokenHash, 50)
      expect(await store.findSession(replaced.session.tokenHash)).toBeUndefined()
      expect(await store.findSession(kept.session.tokenHash)).toEqual(kept)
      expect(await store.findSession(added.tokenHash)).toBeDefined()
    })

    test('S52 beyond the limit, the oldest sessions of that user end, and of nobody else', async () => {
      const store = await open()
      const { user, session } = await startSession(store)
      const stranger = await startSession(store)
      const start = async (createdMs: number, limit: number) => {
        const added = newSession(user.key, { createdMs })
        await store.startSession(added, null, limit)
        return added.id
      }
      const ids = async () => {
        const listed = await store.listSessions(user.key)
        return listed.map(({ id }) => id).toSorted()
      }
      const second = await start(3000, 2)
      expect(await ids()).toEqual([session.id, second].toSorted())
      const third = await start(2000, 2)
      expect(await ids()).toEqual([second, third].toSorted())
      expect(await start(500, 1)).toBe((await ids())[0])
      expect(await ids()).toHaveLength(1)
      expect((await store.findSession(stranger.session.tokenHash))?.user.key).not.toBe(user.key)
    })

    test('a session that cannot start leaves the one it names', async () => {
      const store = await open()
      const { user, session } = await startSession(store)
      const ofNobody = { ...session, tokenHash: hashToken('x'), userKey: user.key + 1 }
      await expect(store.startSession(ofNobody, session.tokenHash, 50)).rejects.toThrow(Error)
      expect(await store.findSession(session.tokenHash)).toBeDefined()
    })

    test('a use is recorded, and recording one of an ended session does not bring it back', async () => {
      const store = await open()
      const { session } = await startSession(store)
      await store.recordSessionUse(session.tokenHash, 5000)
      expect((await store.findSession(session.tokenHash))?.session).toEqual({
        ...session,
        lastUsedMs: 5000,
      })
      expect(await store.endSession(session.tokenHash)).toEqual({ ...session, lastUsedMs: 5000 })
      expect(await store.endSession(session.tokenHash)).toBeUndefined()
      await store.recordSessionUse(session.tokenHash, 6000)
      expect(await store.findSession(session.tokenHash)).toBeUndefined()
    })

    test('S57 turning a user off keeps the first time and ends all sessions, and turning the user on revives none', async () => {
      const store = await open()
      const { user, session } = await startSession(store)
      const stranger = await startSession(store)
      await store.setDisabled(user.key, 5000)
      await store.setDisabled(user.key, 6000)
      expect(await store.findUser(user.username)).toEqual({ ...user, disabledMs: 5000 })
      expect(await store.findSession(session.tokenHash)).toBeUndefined()
      await store.startSession(session, null, 50)
      await store.setDisabled(user.key, null)
      expect(await store.findUser(user.username)).toEqual(user)
      expect(await store.findSession(session.tokenHash)).toBeUndefined()
      expect(await store.findSession(stranger.session.tokenHash)).toEqual(stranger)
    })

    test('all sessions of one user are deleted and counted', async () => {
      const store = await open()
      const { user } = await startSession(store)
      const stranger = await startSession(store)
      expect(await store.endSessions(user.key)).toBe(1)
      expect(await store.endSessions(user.key)).toBe(0)
      expect(await store.findSession(stranger.session.tokenHash)).toEqual(stranger)
    })

    test('sessions created or last used at the given times or before are deleted', async () => {
      const store = await open()
      const old = await startSession(store, { createdMs: 100, lastUsedMs: 900 })
      const idle = await startSession(store, { createdMs: 101, lastUsedMs: 500 })
      const alive = await startSession(store, { createdMs: 101, lastUsedMs: 501 })
      expect(await store.deleteSessions({ createdMs: 100, lastUsedMs: 500 })).toBe(2)
      expect(await store.findSession(old.session.tokenHash)).toBeUndefined()
      expect(await store.findSession(idle.session.tokenHash)).toBeUndefined()
      expect(await store.findSession(alive.session.tokenHash)).toBeDefined()
    })

    test('S22 ended sessions are found among many, whatever ended them', async () => {
      const store = await open()
      const until = { nowMs: 5000, createdMs: 100, lastUsedMs: 500 }
      const kept = await startSession(store, { createdMs: 101, lastUsedMs: 501 })
      const old = await startSession(store, { createdMs: 100, lastUsedMs: 501 })
      const idle = await startSession(store, { createdMs: 101, lastUsedMs: 500 })
      const signedOut = await startSession(store)
      const off = await startSession(store)
      await store.endSession(signedOut.session.tokenHash)
      await store.setDisabled(off.user.key, 1)
      await store.startSession(off.session, null, 50)
      const [expired, toExpire] = await Promise.all(
        [5000, 5001].map(async (expiresMs) => {
          const { key } = await store.insertUser(newUser({ expiresMs }))
          const session = newSession(key)
          await store.startSession(session, null, 50)
          return { session }
        }),
      )
      const asked = [kept, old, idle, signedOut, off, expired, toExpire].flatMap(
        (one) => one?.session.tokenHash ?? [],
      )
      const ended = [old, idle, signedOut, off, expired].map((one) => one?.session.tokenHash)
      const found = await store.findEndedSessions(asked, until)
      expect(found.map((tokenHash) => new Uint8Array(tokenHash))).toEqual(ended)
      expect(await store.findEndedSessions([], until)).toEqual([])
    })

    test('expired users are listed, longest expired first, and users without expiry never', async () => {
      const store = await open()
      for (const [username, expiresMs] of [
        ['never', null],
        ['late', 1001],
        ['second', 1000],
        ['first', 999],
      ] as const) {
        await store.insertUser(newUser({ username, expiresMs }))
      }
      const names = async (limit: number) =>
        (await store.listExpiredUsers(1000, limit)).map(({ username }) => username)
      expect(await names(10)).toEqual(['first', 'second'])
      expect(await names(1)).toEqual(['first'])
    })

    test('deleting a user deletes all sessions of that user, and no others', async () => {
      const store = await open()
      const gone = await startSession(store)
      const kept = await startSession(store)
      expect(await store.deleteUser(gone.user.key)).toBe(0)
      expect(await store.deleteUser(gone.user.key)).toBe(0)
      expect(await store.findUser(gone.user.username)).toBeUndefined()
      expect(await store.findSession(gone.session.tokenHash)).toBeUndefined()
      expect(await store.findSession(kept.session.tokenHash)).toEqual(kept)
    })
  })
}

let made = 0

function newUser(changes: Partial<NewUser> = {}): NewUser {
  made += 1
  return {
    username: `user-${made}`,
    passwordHash: 'hash',
    isDemo: false,
    createdMs: 1_700_000_000_000,
    expiresMs: null,
    ...changes,
  }
}

async function startSession(store: AccountsStore, times = { createdMs: 1000, lastUsedMs: 2000 }) {
  const user = await store.insertUser(newUser())
  const session = newSession(user.key, times)
  await store.startSession(session, null, 50)
  return { user, session }
}

function newSession(userKey: number, changes: Partial<SessionRecord> = {}): SessionRecord {
  return {
    tokenHash: new Uint8Array(hashToken(makeToken())),
    id: randomUUID(),
    userKey,
    device: null,
    addressFamily: null,
    createdMs: 1000,
    lastUsedMs: 2000,
    ...changes,
  }
}
