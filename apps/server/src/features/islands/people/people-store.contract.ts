import { randomUUID } from 'node:crypto'
import type { AccessPolicy } from '@astropelago/contract/islands'
import { describe, expect, test } from 'vitest'
import type { InvitationsStore, PeopleStore } from './people-store.ts'

export interface PeopleStoreHarness {
  readonly people: PeopleStore
  readonly invitations: InvitationsStore
  readonly insertUser: () => Promise<number>
  readonly deleteUser: (userKey: number) => Promise<void>
  /** A published island with this access policy, and its host. */
  readonly insertIsland: (access: AccessPolicy) => Promise<{
    readonly key: number
    readonly id: string
    readonly hostKey: number
  }>
  readonly setAccess: (islandKey: number, access: AccessPolicy) => Promise<void>
  readonly deleteIsland: (islandKey: number) => Promise<void>
  /** The users in the log's `joined` lines. */
  readonly joinedLines: (islandKey: number) => Promise<readonly (number | null)[]>
}

const plenty = { perIsland: 100, perUser: 100 }

/** What every store of members, requests, blocks and invitations must do, on any database. */
export function peopleStoreContract(open: () => Promise<PeopleStoreHarness>): void {
  async function setUp(access: AccessPolicy = 'public') {
    const harness = await open()
    const { people, invitations, insertUser, insertIsland } = harness
    const { key: islandKey, id: islandId, hostKey } = await insertIsland(access)
    const [ada, bob] = [await insertUser(), await insertUser()]
    const memberOf = (userKey: number, atMs = 5) => ({
      islandKey,
      userKey,
      atMs,
      entryId: randomUUID(),
    })
    const invite = async (codeByte: number, details: { maxUses?: number; max?: number } = {}) => {
      const { maxUses = 1, max = 20 } = details
      const codeHash = new Uint8Array(32).fill(codeByte)
      const id = `invitation-${codeByte}`
      const times = { createdMs: 1, expiresMs: 100 }
      const invitation = { id, codeHash, note: "It's '🛰'", maxUses, ...times }
      return { id, codeHash, isInserted: await invitations.insert(islandKey, invitation, max) }
    }
    return {
      ...harness,
      islandKey,
      islandId,
      hostKey,
      ada,
      bob,
      invite,
      memberOf,
      join: (userKey: number, atMs?: number, limits = plenty) =>
        people.join(memberOf(userKey, atMs), access, limits),
      ask: (userKey: number, text = '', limits = plenty) =>
        people.ask({ islandKey, userKey, atMs: 5, text }, limits),
      accept: (codeHash: Uint8Array, userKey: number, atMs = 5) =>
        invitations.accept(codeHash, { userKey, atMs, entryId: randomUUID() }, plenty),
      memberKeys: async (page: { afterKey?: number; limit?: number } = {}) => {
        const found = await people.listMembers(islandKey, { limit: 10, ...page })
        return found.map(({ userKey }) => userKey)
      },
    }
  }

  describe('members', () => {
    test('users who join are listed, last joined first, a page at a time, and logged', async () => {
      const { people, islandKey, insertUser, ada, bob, join, memberKeys, joinedLines } =
        await setUp()
      const eve = await insertUser()
      for (const [userKey, atMs] of [
        [ada, 5],
        [bob, 7],
        [eve, 7],
      ] as const) {
        expect(await join(userKey, atMs)).toBe('joined')
      }
      expect(await memberKeys()).toEqual([eve, bob, ada])
      expect(await memberKeys({ limit: 1, afterKey: eve })).toEqual([bob])
      expect(await memberKeys({ afterKey: ada })).toEqual([])
      expect(await memberKeys({ afterKey: 0 })).toEqual([])
      expect(new Set(await joinedLines(islandKey))).toEqual(new Set([ada, bob, eve]))
      const [last] = await people.listMembers(islandKey, { limit: 1 })
      expect(last).toMatchObject({ userKey: eve, atMs: 7, name: null })
    })

    test('a user who joins again and again is one member with one line in the log', async () => {
      const { people, islandKey, ada, join, joinedLines } = await setUp()
      await join(ada)
      expect(await join(ada)).toBe('is_member')
      expect(await people.leave(islandKey, ada)).toBe('member')
      expect(await people.leave(islandKey, ada)).toBeUndefined()
      expect(await joinedLines(islandKey)).toEqual([ada])
      expect(await join(ada)).toBe('joined')
      expect(await joinedLines(islandKey)).toEqual([ada])
      expect(await people.removeMember(islandKey, ada)).toBe(true)
      expect(await people.removeMember(islandKey, ada)).toBe(false)
    })

    test('nobody joins by an access policy that was changed meanwhile', async () => {
      const { islandKey, ada, bob, join, ask, setAccess, deleteIsland, memberKeys } = await setUp()
      expect(await ask(bob)).toBe('changed')
      await setAccess(islandKey, 'invited')
      expect(await join(ada)).toBe('changed')
      await deleteIsland(islandKey)
      expect(await join(ada)).toBe('changed')
      expect(await memberKeys()).toEqual([])
    })

    test('S52 members of an island and islands of a user are limited, even under simultaneous calls', async () => {
      const { people, insertUser, insertIsland, ada, join, ask, memberOf } = await setUp()
      const users = [ada, await insertUser(), await insertUser()]
      const two = { ...plenty, perIsland: 2 }
      const outcomes = await Promise.all(users.map((userKey) => join(userKey, 5, two)))
      expect(outcomes.toSorted()).toEqual(['island_full', 'joined', 'joined'])
      expect(await ask(ada)).toBe('changed')

      const user = await insertUser()
      const islands = [await insertIsland('public'), await insertIsland('public')]
      const each = await Promise.all(
        islands.map(({ key }) =>
          people.join({ ...memberOf(user), islandKey: key }, 'public', { ...plenty, perUser: 1 }),
        ),
      )
      expect(each.toSorted()).toEqual(['joined', 'user_full'])
    })
  })

  describe('requests', () => {
    test('requests are listed, longest waiting first; asking again only changes the text', async () => {
      const { people, islandKey, ada, bob, ask } = await setUp('invited')
      expect(await ask(ada, "I'm\nAda 🛰")).toBe('asked')
      expect(await ask(bob)).toBe('asked')
      expect(await ask(ada, 'Please')).toBe('asked')
      const requests = await people.listRequests(islandKey)
      expect(requests.map(({ userKey, text }) => [userKey, text])).toEqual([
        [ada, 'Please'],
        [bob, ''],
      ])
      expect(await people.leave(islandKey, bob)).toBe('asked')
      expect(await people.listRequests(islandKey)).toHaveLength(1)
    })

    test('a user who is let in is a member without a request; one who is turned away is neither', async () => {
      const { people, islandKey, ada, bob, ask, memberOf, memberKeys } = await setUp('invited')
      await ask(ada)
      await ask(bob)
      expect(await people.letIn(memberOf(ada), plenty)).toBe('answered')
      expect(await people.letIn(memberOf(ada), plenty)).toBe('gone')
      expect(await people.turnAway(islandKey, bob)).toBe(true)
      expect(await people.turnAway(islandKey, bob)).toBe(false)
      expect(await people.listRequests(islandKey)).toEqual([])
      expect(await memberKeys()).toEqual([ada])
      expect(await ask(ada)).toBe('is_member')
    })

    test('S52 requests to an island are limited, and count among the islands of their user', async () => {
      const { people, islandKey, ada, bob, ask, memberOf } = await setUp('invited')
      const one = { ...plenty, perIsland: 1 }
      expect(await ask(ada, '', one)).toBe('asked')
      expect(await ask(ada, 'again', one)).toBe('asked')
      expect(await ask(bob, '', one)).toBe('requests_full')
      expect(await ask(bob, '', { ...plenty, perUser: 0 })).toBe('user_full')
      // The user's own request does not count against the limit.
      expect(await people.letIn(memberOf(ada), { ...plenty, perUser: 1 })).toBe('answered')
      expect(await people.listRequests(islandKey)).toEqual([])
    })
  })

  describe('blocks', () => {
    test('a blocked user is no member, has no request, and can’t get in', async () => {
      const { people, islandKey, ada, bob, join, ask, setAccess, invite, accept, memberKeys } =
        await setUp()
      await join(ada)
      const { codeHash } = await invite(1)
      for (const [userKey, atMs] of [
        [ada, 5],
        [bob, 6],
      ] as const) {
        expect(await people.block(islandKey, userKey, { atMs, max: 2 })).toBe(true)
      }
      expect(await people.block(islandKey, ada, { atMs: 9, max: 2 })).toBe(true)
      expect(await memberKeys()).toEqual([])
      expect(await join(ada)).toBe('changed')
      expect(await accept(codeHash, ada)).toBe('unusable')
      await setAccess(islandKey, 'invited')
      expect(await ask(ada)).toBe('changed')
      const blocks = await people.listBlocks(islandKey)
      expect(blocks.map(({ userKey, atMs }) => [userKey, atMs])).toEqual([
        [bob, 6],
        [ada, 5],
      ])
      expect(await people.unblock(islandKey, ada)).toBe(true)
      expect(await people.unblock(islandKey, ada)).toBe(false)
      expect(await ask(ada)).toBe('asked')
      await people.block(islandKey, ada, { atMs: 9, max: 2 })
      expect(await people.listRequests(islandKey)).toEqual([])
    })

    test('S52 blocks are limited, even under simultaneous calls', async () => {
      const { people, islandKey, ada, bob } = await setUp()
      const block = (userKey: number) => people.block(islandKey, userKey, { atMs: 1, max: 1 })
      const outcomes = await Promise.all([block(ada), block(bob)])
      expect(outcomes.toSorted()).toEqual([false, true])
    })
  })

  describe('invitations', () => {
    test('one is stored as given, leads to its island, and is listed without its code', async () => {
      const { invitations, islandKey, islandId, invite } = await setUp('invited')
      const { codeHash } = await invite(1, { maxUses: 3 })
      await invite(2)
      const common = { note: "It's '🛰'", createdMs: 1, expiresMs: 100, uses: 0 }
      expect(await invitations.list(islandKey)).toEqual([
        { ...common, id: 'invitation-2', maxUses: 1 },
        { ...common, id: 'invitation-1', maxUses: 3 },
      ])
      expect(await invitations.find(codeHash, 99)).toEqual({ islandId, isUsable: true })
      expect(await invitations.find(codeHash, 100)).toEqual({ islandId, isUsable: false })
      expect(await invitations.find(new Uint8Array(32), 99)).toBeUndefined()
    })

    test('it lets in as many users as it says, even under simultaneous calls, until it expires', async () => {
      const { people, insertUser, islandKey, islandId, ada, ask, invite, accept, invitations } =
        await setUp('invited')
      await ask(ada)
      const { codeHash } = await invite(1, { maxUses: 2 })
      expect(await accept(codeHash, ada)).toBe('joined')
      expect(await people.listRequests(islandKey)).toEqual([])
      expect(await accept(codeHash, ada)).toBe('is_member')
      const others = [await insertUser(), await insertUser(), await insertUser()]
      const outcomes = await Promise.all(others.map((userKey) => accept(codeHash, userKey)))
      expect(outcomes.toSorted()).toEqual(['joined', 'unusable', 'unusable'])
      expect(await invitations.find(codeHash, 5)).toEqual({ islandId, isUsable: false })
      const { codeHash: late } = await invite(2)
      expect(await accept(late, await insertUser(), 100)).toBe('unusable')
    })

    test('only the host revokes it, and users who have joined stay', async () => {
      const { invitations, hostKey, ada, bob, invite, accept, memberKeys } = await setUp('invited')
      const { id, codeHash } = await invite(1, { maxUses: 2 })
      await accept(codeHash, ada)
      expect(await invitations.delete(id, ada)).toBe(false)
      expect(await invitations.delete(id, hostKey)).toBe(true)
      expect(await invitations.delete(id, hostKey)).toBe(false)
      expect(await accept(codeHash, bob)).toBe('unusable')
      expect(await memberKeys()).toEqual([ada])
    })

    test('S52 an island’s usable invitations are limited; expired ones are deleted', async () => {
      const { invitations, islandKey, ada, invite, accept } = await setUp('invited')
      const [one, other] = await Promise.all([invite(1, { max: 1 }), invite(2, { max: 1 })])
      expect([one, other].filter(({ isInserted }) => isInserted)).toHaveLength(1)
      await accept(one.isInserted ? one.codeHash : other.codeHash, ada)
      expect((await invite(3, { max: 1 })).isInserted).toBe(true)
      expect(await invitations.deleteExpired(99)).toBe(0)
      expect(await invitations.deleteExpired(100)).toBe(2)
      expect(await invitations.list(islandKey)).toEqual([])
    })
  })

  test('a user’s memberships and requests are exported for that user, and deleted with the account', async () => {
    const { people, islandKey, islandId, insertIsland, ada, ask, memberOf, deleteUser } =
      await setUp('invited')
    const other = await insertIsland('public')
    await ask(ada, 'Please')
    await people.join({ ...memberOf(ada, 9), islandKey: other.key }, 'public', plenty)
    expect(await people.listOf(ada)).toEqual([
      { islandId, atMs: 5, requestText: 'Please' },
      { islandId: other.id, atMs: 9, requestText: null },
    ])
    await deleteUser(ada)
    expect(await people.listRequests(islandKey)).toEqual([])
    expect(await people.listMembers(other.key, { limit: 1 })).toEqual([])
  })
}
