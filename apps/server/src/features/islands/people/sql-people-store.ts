import type { AccessPolicy } from '@astropelago/contract/islands'
import { sql } from 'kysely'
import { shownAvatar } from '../../../storage/rows-of-user.ts'
import type { Recording } from '../../../storage/change-log.ts'
import type { Database, DatabaseTransaction, RecordingStorage } from '../../../storage/storage.ts'
import { countIslandsOf, insertMember, isThere, lockForJoining } from './insert-member.ts'
import type { MembershipRecord, PeopleStore } from './people-store.ts'

export function sqlPeopleStore({ db, changes }: RecordingStorage): PeopleStore {
  const deleteAlone = (table: PeopleTable, islandKey: number, userKey: number) =>
    changes.write((transaction, record) =>
      deletePerson({ transaction, record }, table, islandKey, userKey),
    )

  return {
    listMembers: async (islandKey, { afterKey, limit }) => {
      let members = selectPeople(db, 'island_members', 'joined_ms').where(
        'island_key',
        '=',
        islandKey,
      )
      if (afterKey !== undefined) {
        members = members.where(
          sql<boolean>`(joined_ms, user_key) < (
            select joined_ms, user_key from island_members
            where island_key = ${islandKey} and user_key = ${afterKey})`,
        )
      }
      return await members
        .orderBy('joined_ms', 'desc')
        .orderBy('user_key', 'desc')
        .limit(limit)
        .execute()
    },

    countMembers: async (islandKey) => {
      const { count } = await db
        .selectFrom('island_members')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('island_key', '=', islandKey)
        .executeTakeFirstOrThrow()
      return count
    },

    join: (member, access, limits) =>
      changes.write(async (transaction, record) => {
        await lockForJoining(transaction, member)
        if (!(await hasAccessPolicy(transaction, member.islandKey, access))) return 'changed'
        const outcome = await insertMember({ transaction, record }, member, limits)
        return outcome === 'blocked' ? 'changed' : outcome
      }),

    ask: (request, { perIsland, perUser }) =>
      changes.write(async (transaction, record) => {
        const { islandKey, userKey, atMs, text } = request
        await lockForJoining(transaction, request)
        if (!(await hasAccessPolicy(transaction, islandKey, 'invited'))) return 'changed'
        if (await isThere(transaction, 'island_blocks', islandKey, userKey)) return 'changed'
        if (await isThere(transaction, 'island_members', islandKey, userKey)) return 'is_member'
        if (!(await isThere(transaction, 'island_requests', islandKey, userKey))) {
          const waiting = await transaction
            .selectFrom('island_requests')
            .select((select) => select.fn.countAll<number>().as('count'))
            .where('island_key', '=', islandKey)
            .executeTakeFirstOrThrow()
          if (waiting.count >= perIsland) return 'requests_full'
          if ((await countIslandsOf(transaction, userKey)) >= perUser) return 'user_full'
        }
        await transaction
          .insertInto('island_requests')
          .values({ island_key: islandKey, user_key: userKey, text, at_ms: atMs })
          // A second request keeps its place in the queue.
          .onConflict((conflict) =>
            conflict.columns(['island_key', 'user_key']).doUpdateSet({ text }),
          )
          .execute()
        record('island-requests', [islandKey], [[islandKey, userKey]])
        return 'asked'
      }),

    leave: (islandKey, userKey) =>
      changes.write(async (transaction, record) => {
        if (await deletePerson({ transaction, record }, 'island_members', islandKey, userKey))
          return 'member'
        const hadAsked = await deletePerson(
          { transaction, record },
          'island_requests',
          islandKey,
          userKey,
        )
        return hadAsked ? 'asked' : undefined
      }),

    removeMember: (islandKey, userKey) => deleteAlone('island_members', islandKey, userKey),

    listRequests: (islandKey) =>
      selectPeople(db, 'island_requests', 'at_ms')
        .select('text')
        .where('island_key', '=', islandKey)
        .orderBy('at_ms')
        .orderBy('user_key')
        .execute(),

    letIn: (member, limits) =>
      changes.write(async (transaction, record) => {
        const { islandKey, userKey } = member
        await lockForJoining(transaction, member)
        const hasAsked = await isThere(transaction, 'island_requests', islandKey, userKey)
        if (!hasAsked) return 'gone'
        const outcome = await insertMember({ transaction, record }, member, limits)
        // Blocked users and members have no request.
        if (outcome === 'blocked' || outcome === 'is_member') return 'gone'
        return outcome === 'joined' ? 'answered' : outcome
      }),

    turnAway: (islandKey, userKey) => deleteAlone('island_requests', islandKey, userKey),

    listBlocks: (islandKey) =>
      selectPeople(db, 'island_blocks', 'at_ms')
        .where('island_key', '=', islandKey)
        .orderBy('at_ms', 'desc')
        .orderBy('user_key', 'desc')
        .execute(),

    block: (islandKey, userKey, { atMs, max }) =>
      changes.write(async (transaction, record) => {
        await lockForJoining(transaction, { islandKey, userKey })
        if (await isThere(transaction, 'island_blocks', islandKey, userKey)) return true
        const { count } = await transaction
          .selectFrom('island_blocks')
          .select((select) => select.fn.countAll<number>().as('count'))
          .where('island_key', '=', islandKey)
          .executeTakeFirstOrThrow()
        if (count >= max) return false
        await transaction
          .insertInto('island_blocks')
          .values({ island_key: islandKey, user_key: userKey, at_ms: atMs })
          .execute()
        record('islands', [islandKey])
        record('island-members', [islandKey], [[islandKey, userKey]])
        await deletePerson({ transaction, record }, 'island_members', islandKey, userKey)
        await deletePerson({ transaction, record }, 'island_requests', islandKey, userKey)
        return true
      }),

    unblock: (islandKey, userKey) => deleteAlone('island_blocks', islandKey, userKey),

    listOf: async (userKey) => {
      const { rows } = await sql<MembershipRecord>`
        select islands.id as "islandId", joined_ms as "atMs", null as "requestText"
        from island_members join islands on islands.key = island_key
        where island_members.user_key = ${userKey}
        union all
        select islands.id, at_ms, text
        from island_requests join islands on islands.key = island_key
        where island_requests.user_key = ${userKey}
        order by 2, 1`.execute(db)
      return rows
    },
  }
}

type PeopleTable = 'island_members' | 'island_requests' | 'island_blocks'

/** What lists show of each person. */
function selectPeople(db: Database, table: PeopleTable, time: string) {
  return db
    .selectFrom(table)
    .innerJoin('users', 'users.key', 'user_key')
    .select(['user_key as userKey', 'users.username', 'users.name', shownAvatar.as('avatar')])
    .select(sql.ref<number>(time).as('atMs'))
}

async function hasAccessPolicy(
  transaction: DatabaseTransaction,
  islandKey: number,
  access: AccessPolicy,
): Promise<boolean> {
  const island = await transaction
    .selectFrom('islands')
    .select('key')
    .where('key', '=', islandKey)
    .where('access', '=', access)
    .where('published_ms', 'is not', null)
    .where('hidden_ms', 'is', null)
    .executeTakeFirst()
  return island !== undefined
}

async function deletePerson(
  { transaction, record }: Recording,
  table: PeopleTable,
  islandKey: number,
  userKey: number,
): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom(table)
    .where('island_key', '=', islandKey)
    .where('user_key', '=', userKey)
    .executeTakeFirst()
  if (numDeletedRows === 0n) return false
  if (table === 'island_blocks') record('islands', [islandKey])
  const topic = table === 'island_requests' ? 'island-requests' : 'island-members'
  record(topic, [islandKey], [[islandKey, userKey]])
  return true
}
