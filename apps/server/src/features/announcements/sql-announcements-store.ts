import { sql, type ExpressionBuilder } from 'kysely'
import { countDeleted, countRows } from '../../storage/count-rows.ts'
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
  const announcements = db.selectFrom('announcements').select(columns)
  return {
    insert: (announcement, { nowMs, max }) =>
      db.transaction().execute(async (transaction) => {
        await lockTotal(transaction, 'announcements')
        const count = await countRows(
          transaction.selectFrom('announcements').where(hasNotEnded(nowMs)),
        )
        if (count >= max) return false
        await transaction.insertInto('announcements').values(rowOf(announcement)).execute()
        return true
      }),

    find: (id) => announcements.where('id', '=', id).executeTakeFirst(),

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
      announcements
        .where('starts_ms', '<=', nowMs)
        .where(hasNotEnded(nowMs))
        .orderBy(sql`level = 'warning'`, 'desc')
        .orderBy('starts_ms', 'desc')
        .orderBy('key', 'desc')
        .execute(),

    listAll: () => announcements.orderBy('starts_ms', 'desc').orderBy('key', 'desc').execute(),

    deleteEnded: (untilMs) =>
      countDeleted(db.deleteFrom('announcements').where('ends_ms', '<=', untilMs)),
  }
}

function hasNotEnded(nowMs: number) {
  return (where: ExpressionBuilder<Schema, 'announcements'>) =>
    where.or([where('ends_ms', 'is', null), where('ends_ms', '>', nowMs)])
}

function rowOf({ startsMs, endsMs, ...same }: AnnouncementRecord) {
  return { ...same, starts_ms: startsMs, ends_ms: endsMs }
}
