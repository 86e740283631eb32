import type { AccessPolicy } from '@astropelago/contract/islands'
import { sql } from 'kysely'
import { countRows } from '../../../storage/count-rows.ts'
import { shownAvatar } from '../../../storage/rows-of-user.ts'
import { isShownIsland, type PeopleTable } from '../../../storage/sql-access-rows.ts'
import type { Recording } from '../../../storage/change-log.ts'
import type { Database, DatabaseTransaction, RecordingStorage } from '../../../storage/storage.ts'
import type { IslandUser } from '../islands-store.ts'
import {
  countIslandsOf,
  deletePerson,
  insertMember,
  isThere,
  lockForJoining,
} from './insert-member.ts'
import type { MembershipRecord, PeopleStore } from './people-store.ts'

export function sqlPeopleStore({ db, changes }: RecordingStorage): PeopleStore {
  const deleteAlone = (table: PeopleTable) => (islandKey: number, userKey: number) =>
    changes.write((transaction, record) =>
      endPerson({ transaction, record }, table, { islandKey, userKey }),
    )

  return {
    listMembers: async (islandKey, { afterKey, limit }) => {
      let members = selectPeople(db, 'island_members', 'joined_ms', islandKey)
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
        if (await isThere(transaction, 'island_blocks', request)) return 'changed'
        if (await isThere(transaction, 'island_members', request)) return 'is_member'
        const requests = transaction.selectFrom('island_requests')
        if (!(await isThere(transaction, 'island_requests', request))) {
          const waiting = await countRows(requests.where('island_key', '=', islandKey))
          if (waiting >= perIsland) return 'requests_full'
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
        const end = (table: PeopleTable) =>
          endPerson({ transaction, record }, table, { islandKey, userKey })
        if (await end('island_members')) return 'member'
        return (await end('island_requests')) ? 'asked' : undefined
      }),

    removeMember: deleteAlone('island_members'),

    listRequests: (islandKey) =>
      selectPeople(db, 'island_requests', 'at_ms', islandKey)
        .select('text')
        .orderBy('at_ms')
        .orderBy('user_key')
        .execute(),

    letIn: (member, limits) =>
      changes.write(async (transaction, record) => {
        await lockForJoining(transaction, member)
        if (!(await isThere(transaction, 'island_requests', member))) return 'gone'
        const outcome = await insertMember({ transaction, record }, member, limits)
        // Blocked users and members have no request.
        if (outcome === 'blocked' || outcome === 'is_member') return 'gone'
        return outcome === 'joined' ? 'answered' : outcome
      }),

    turnAway: deleteAlone('island_requests'),

    listBlocks: (islandKey) =>
      selectPeople(db, 'island_blocks', 'at_ms', islandKey)
        .orderBy('at_ms', 'desc')
        .orderBy('user_key', 'desc')
        .execute(),

    block: (islandKey, userKey, { atMs, max }) =>
      changes.write(async (transaction, record) => {
        const person = { islandKey, userKey }
        await lockForJoining(transaction, person)
        if (await isThere(transaction, 'island_blocks', person)) return true
        const blocks = transaction.selectFrom('island_blocks').where('island_key', '=', islandKey)
        if ((await countRows(blocks)) >= max) return false
        await transaction
          .insertInto('island_blocks')
          .values({ island_key: islandKey, user_key: userKey, at_ms: atMs })
          .execute()
        record('islands', [islandKey])
        record('island-members', [islandKey], [[islandKey, userKey]])
        await endPerson({ transaction, record }, 'island_members', person)
        await endPerson({ transaction, record }, 'island_requests', person)
        return true
      }),

    unblock: deleteAlone('island_blocks'),

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

function selectPeople(db: Database, table: PeopleTable, time: string, islandKey: number) {
  return db
    .selectFrom(table)
    .innerJoin('users', 'users.key', 'user_key')
    .select(['user_key as userKey', 'users.username', 'users.name', shownAvatar.as('avatar')])
    .select(sql.ref<number>(time).as('atMs'))
    .where('island_key', '=', islandKey)
}

async function hasAccessPolicy(
  transaction: DatabaseTransaction,
  islandKey: number,
  access: AccessPolicy,
): Promise<boolean> {
  const islands = transaction
    .selectFrom('islands')
    .where('key', '=', islandKey)
    .where('access', '=', access)
    .where(isShownIsland())
  return (await countRows(islands)) > 0
}

async function endPerson(
  { transaction, record }: Recording,
  table: PeopleTable,
  { islandKey, userKey }: IslandUser,
): Promise<boolean> {
  if (!(await deletePerson(transaction, table, { islandKey, userKey }))) return false
  if (table === 'island_blocks') record('islands', [islandKey])
  const topic = table === 'island_requests' ? 'island-requests' : 'island-members'
  record(topic, [islandKey], [[islandKey, userKey]])
  return true
}
