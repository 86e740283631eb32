import { countDeleted, countRows } from '../../../storage/count-rows.ts'
import { lockRows } from '../../../storage/locks.ts'
import type { Recording } from '../../../storage/change-log.ts'
import type { PeopleTable } from '../../../storage/sql-access-rows.ts'
import type { DatabaseTransaction } from '../../../storage/storage.ts'
import type { IslandUser } from '../islands-store.ts'
import type { MemberLimits, NewMember } from './people-store.ts'

/** Call it before counting or checking anything to add a member or a request. Users are locked first. */
export async function lockForJoining(
  transaction: DatabaseTransaction,
  { islandKey, userKey }: IslandUser,
): Promise<void> {
  await lockRows(transaction, 'users', [userKey])
  await lockRows(transaction, 'islands', [islandKey])
}

/** Adds a line to the log and ends any request. Call `lockForJoining` before. */
export async function insertMember(
  { transaction, record }: Recording,
  { islandKey, userKey, atMs, entryId }: NewMember,
  limits: MemberLimits,
): Promise<'joined' | 'is_member' | 'blocked' | 'island_full' | 'user_full'> {
  const person = { islandKey, userKey }
  if (await isThere(transaction, 'island_blocks', person)) return 'blocked'
  if (await isThere(transaction, 'island_members', person)) return 'is_member'
  const members = transaction.selectFrom('island_members').where('island_key', '=', islandKey)
  if ((await countRows(members)) >= limits.perIsland) return 'island_full'
  const hasAsked = await isThere(transaction, 'island_requests', person)
  const others = (await countIslandsOf(transaction, userKey)) - Number(hasAsked)
  if (others >= limits.perUser) return 'user_full'
  await deletePerson(transaction, 'island_requests', person)
  await transaction
    .insertInto('island_members')
    .values({ island_key: islandKey, user_key: userKey, joined_ms: atMs })
    .execute()
  // Leaving and joining again must not fill the log.
  await transaction
    .deleteFrom('island_log')
    .where('island_key', '=', islandKey)
    .where('user_key', '=', userKey)
    .where('kind', '=', 'joined')
    .execute()
  const line = { id: entryId, island_key: islandKey, user_key: userKey, at_ms: atMs }
  await transaction
    .insertInto('island_log')
    .values({ ...line, kind: 'joined', text: null, event_ms: null })
    .execute()
  const pair = [[islandKey, userKey]]
  if (hasAsked) record('island-requests', [islandKey], pair)
  record('island-members', [islandKey], pair)
  record('island-log', [islandKey])
  return 'joined'
}

export async function isThere(
  transaction: DatabaseTransaction,
  table: PeopleTable,
  { islandKey, userKey }: IslandUser,
): Promise<boolean> {
  const people = transaction.selectFrom(table).where('island_key', '=', islandKey)
  return (await countRows(people.where('user_key', '=', userKey))) > 0
}

export async function deletePerson(
  transaction: DatabaseTransaction,
  table: PeopleTable,
  { islandKey, userKey }: IslandUser,
): Promise<boolean> {
  return (
    (await countDeleted(
      transaction
        .deleteFrom(table)
        .where('island_key', '=', islandKey)
        .where('user_key', '=', userKey),
    )) > 0
  )
}

export async function countIslandsOf(
  transaction: DatabaseTransaction,
  userKey: number,
): Promise<number> {
  const countIn = (table: 'island_members' | 'island_requests') =>
    countRows(transaction.selectFrom(table).where('user_key', '=', userKey))
  return (await countIn('island_members')) + (await countIn('island_requests'))
}
