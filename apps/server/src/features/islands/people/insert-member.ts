import { lockRows } from '../../../storage/locks.ts'
import type { Recording } from '../../../storage/change-log.ts'
import type { DatabaseTransaction } from '../../../storage/storage.ts'
import type { MemberLimits, NewMember } from './people-store.ts'

type Outcome = 'joined' | 'is_member' | 'blocked' | 'island_full' | 'user_full'

/**
 * Call it before counting or checking anything in order to add a member or a request. As everywhere, it
 * locks users first.
 */
export async function lockForJoining(
  transaction: DatabaseTransaction,
  { islandKey, userKey }: Pick<NewMember, 'islandKey' | 'userKey'>,
): Promise<void> {
  await lockRows(transaction, 'users', [userKey])
  await lockRows(transaction, 'islands', [islandKey])
}

/**
 * Makes a user a member, with a line in the log, and deletes the user's request. Call `lockForJoining`
 * before.
 */
export async function insertMember(
  { transaction, record }: Recording,
  { islandKey, userKey, atMs, entryId }: NewMember,
  limits: MemberLimits,
): Promise<Outcome> {
  if (await isThere(transaction, 'island_blocks', islandKey, userKey)) return 'blocked'
  if (await isThere(transaction, 'island_members', islandKey, userKey)) return 'is_member'
  const members = await transaction
    .selectFrom('island_members')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('island_key', '=', islandKey)
    .executeTakeFirstOrThrow()
  if (members.count >= limits.perIsland) return 'island_full'
  const hasAsked = await isThere(transaction, 'island_requests', islandKey, userKey)
  const others = (await countIslandsOf(transaction, userKey)) - Number(hasAsked)
  if (others >= limits.perUser) return 'user_full'
  await transaction
    .deleteFrom('island_requests')
    .where('island_key', '=', islandKey)
    .where('user_key', '=', userKey)
    .execute()
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
  await transaction
    .insertInto('island_log')
    .values({
      id: entryId,
      island_key: islandKey,
      kind: 'joined',
      user_key: userKey,
      text: null,
      event_ms: null,
      at_ms: atMs,
    })
    .execute()
  const pair = [[islandKey, userKey]]
  if (hasAsked) record('island-requests', [islandKey], pair)
  record('island-members', [islandKey], pair)
  record('island-log', [islandKey])
  return 'joined'
}

export async function isThere(
  transaction: DatabaseTransaction,
  table: 'island_members' | 'island_requests' | 'island_blocks',
  islandKey: number,
  userKey: number,
): Promise<boolean> {
  const row = await transaction
    .selectFrom(table)
    .select('user_key')
    .where('island_key', '=', islandKey)
    .where('user_key', '=', userKey)
    .executeTakeFirst()
  return row !== undefined
}

/** How many islands a user has joined or asked to join. */
export async function countIslandsOf(
  transaction: DatabaseTransaction,
  userKey: number,
): Promise<number> {
  let count = 0
  for (const table of ['island_members', 'island_requests'] as const) {
    const found = await transaction
      .selectFrom(table)
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('user_key', '=', userKey)
      .executeTakeFirstOrThrow()
    count += found.count
  }
  return count
}
