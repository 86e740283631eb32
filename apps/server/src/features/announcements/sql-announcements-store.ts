import { sql, type ExpressionBuilder } from 'kysely'
import { lockTotal } from '../../storage/locks.ts'
import type { Schema } from '../../storage/schema.ts'
import type { Database } from '../../storage/storage.ts'
import type { AnnouncementRecord, AnnouncementsStore } from './announcements-store.ts'

const columns = [
  'id',
  'level',
  'title',
  'text',
  'starts_ms as startsMs',
  'ends_ms as endsMs',
] as const

export function sqlAnnouncementsStore(db: Database): AnnouncementsStore {
  return {
    insert: (announcement, { nowMs, max }) =>
      db.transaction().execute(async (transaction) => {
        await lockTotal(transaction, 'announcements')
        const { count } = await transaction
          .selectFrom('announcements')
          .select((select) => select.fn.countAll<number>().as('count'))
          .where(isNotOver(nowMs))
          .executeTakeFirstOrThrow()
        if (count >= max) return false
        await transaction.insertInto('announcements').values(rowOf(announcement)).execute()
        return true
      }),

    find: (id) =>
      db.selectFrom('announcements').select(columns).where('id', '=', id).executeTakeFirst(),

    update: (announcement) =>
      db
        .updateTable('announcements')
        .set(rowOf(announcement))
        .where('id', '=', announcement.id)
        .returning(columns)
        .executeTakeFirst(),

    delete: (id) =>
      db.deleteFrom('announcements').where('id', '=', id).returning(columns).executeTakeFirst(),

    listCurrent: (nowMs) =>
      db
        .selectFrom('announcements')
        .select(columns)
        .where('starts_ms', '<=', nowMs)
        .where(isNotOver(nowMs))
        .orderBy(sql`level = 'warning'`, 'desc')
        .orderBy('starts_ms', 'desc')
        .orderBy('key', 'desc')
        .execute(),

    listAll: () =>
      db
        .selectFrom('announcements')
        .select(columns)
        .orderBy('starts_ms', 'desc')
        .orderBy('key', 'desc')
        .execute(),

    deleteEnded: async (untilMs) => {
      const { numDeletedRows } = await db
        .deleteFrom('announcements')
        .where('ends_ms', '<=', untilMs)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

function isNotOver(nowMs: number) {
  return (where: ExpressionBuilder<Schema, 'announcements'>) =>
    where.or([where('ends_ms', 'is', null), where('ends_ms', '>', nowMs)])
}

function rowOf({ startsMs, endsMs, ...same }: AnnouncementRecord) {
  return { ...same, starts_ms: startsMs, ends_ms: endsMs }
}
