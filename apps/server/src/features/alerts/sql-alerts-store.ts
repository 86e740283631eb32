import { sql } from 'kysely'
import { isPostgres } from '../../storage/database-kind.ts'
import { rowList } from '../../storage/sql-lists.ts'
import { StorageUnavailable } from '../../storage/storage-error.ts'
import type { Database, DatabaseTransaction } from '../../storage/storage.ts'
import type { AlertsStore, ReadChanges, TurnEnd } from './alerts-store.ts'
import {
  listUsersOfIsland,
  readItems,
  readItemsOfUsers,
  replaceItems,
} from './sql-alert-item-rows.ts'
import { insertMessage } from './sql-alert-messages-store.ts'

/** Writes after its term are refused. */
interface Leadership {
  readonly writer: number
  readonly term: number
}

/** @param leading undefined if there is only one server */
export function sqlAlertsStore(
  db: Database,
  leading: () => Leadership | undefined = () => undefined,
): AlertsStore {
  const asLeader = (work: (transaction: DatabaseTransaction) => Promise<void>) =>
    db.transaction().execute(async (transaction) => {
      await refuseOldTerm(transaction, leading())
      await work(transaction)
    })

  return {
    itemsOf: (subjects) => readItems(db, subjects),

    storeRead: ({ changed, dueMs, cursor }) =>
      asLeader(async (transaction) => {
        await replaceItems(transaction, changed)
        await advanceTurns(transaction, dueMs)
        await moveCursor(transaction, cursor)
      }),

    listAlertedOfIsland: (islandKey, page) => listUsersOfIsland(db, 'alert_items', islandKey, page),

    positionOf: async (source) => {
      const row = await db
        .selectFrom('alert_cursors')
        .select('position')
        .where('source', '=', source)
        .executeTakeFirst()
      return row?.position ?? 0
    },

    dueTurns: (nowMs, limit) =>
      db
        .selectFrom('alert_turns')
        .select(['user_key as userKey', 'alerted_ms as toldMs'])
        .where('due_ms', '<=', nowMs)
        .orderBy('due_ms')
        .limit(limit)
        .execute(),

    findTurn: (userKey) =>
      db
        .selectFrom('alert_turns')
        .select(['user_key as userKey', 'alerted_ms as toldMs', 'due_ms as dueMs'])
        .where('user_key', '=', userKey)
        .executeTakeFirst(),

    itemsOfUsers: (userKeys) => readItemsOfUsers(db, userKeys),

    endTurns: (ends, nowMs) =>
      asLeader(async (transaction) => {
        for (const end of ends) await endTurn(transaction, end, nowMs)
      }),
  }
}

/** The lock lasts until the commit, so no other server can begin to lead before that. */
async function refuseOldTerm(
  transaction: DatabaseTransaction,
  leading: Leadership | undefined,
): Promise<void> {
  if (leading === undefined || !isPostgres(transaction)) return
  const { rows } = await sql`
    select 1 from leadership
    where writer = ${leading.writer} and term = ${leading.term} for update`.execute(transaction)
  if (rows.length === 0) throw new StorageUnavailable('another server sends alerts by now')
}

async function moveCursor(
  transaction: DatabaseTransaction,
  cursor: ReadChanges['cursor'],
): Promise<void> {
  if (cursor.kind === 'flips') {
    const { reader, writer, sequence } = cursor
    await transaction
      .insertInto('presence_event_cursors')
      .values({ reader, writer, sequence })
      .onConflict((conflict) => conflict.columns(['reader', 'writer']).doUpdateSet({ sequence }))
      .execute()
  } else if (cursor.kind === 'source') {
    const { source, position } = cursor
    await transaction
      .insertInto('alert_cursors')
      .values({ source, position })
      .onConflict((conflict) => conflict.column('source').doUpdateSet({ position }))
      .execute()
  } else if (cursor.toldUserKey === null) {
    await transaction
      .deleteFrom('island_alert_queue')
      .where('sequence', '=', cursor.islandChange)
      .execute()
  } else {
    await transaction
      .updateTable('island_alert_queue')
      .set({ last_user_key: cursor.toldUserKey })
      .where('sequence', '=', cursor.islandChange)
      .execute()
  }
}

/** A turn that is due earlier stays as it is. */
async function advanceTurns(
  transaction: DatabaseTransaction,
  dueMs: ReadonlyMap<number, number>,
): Promise<void> {
  if (dueMs.size === 0) return
  const list = rowList(transaction, {
    user_key: ['integer', [...dueMs.keys()]],
    due_ms: ['bigint', [...dueMs.values()]],
  })
  await sql`
    insert into alert_turns (user_key, due_ms, alerted_ms)
    select users.key, given.due_ms, null
    from (${list}) as given join users on users.key = given.user_key
    where true
    on conflict (user_key) do update
    set due_ms = case
      when alert_turns.due_ms < excluded.due_ms then alert_turns.due_ms else excluded.due_ms
    end`.execute(transaction)
}

async function endTurn(
  transaction: DatabaseTransaction,
  { userKey, dueMs, messages, changed }: TurnEnd,
  nowMs: number,
): Promise<void> {
  await transaction
    .updateTable('alert_turns')
    .set({
      // Rules that changed since the turn was read need another turn.
      due_ms: sql`case when due_ms > ${nowMs} then due_ms else ${dueMs} end`,
      ...(messages.length > 0 && { alerted_ms: nowMs }),
    })
    .where('user_key', '=', userKey)
    .execute()
  await replaceItems(transaction, changed)
  for (const message of messages) await insertMessage(transaction, userKey, message, nowMs)
}
