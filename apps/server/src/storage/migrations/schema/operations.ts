import { sql, type Kysely } from 'kysely'
import { generatedKey, longInteger } from '../../column-types.ts'
import { notNull } from './references.ts'

/** What operators read and write. */
export async function createOperations(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_log')
    .addColumn('key', longInteger(db), generatedKey(db))
    .addColumn('at_ms', 'bigint', notNull)
    .addColumn('actor', 'text', notNull)
    .addColumn('action', 'text', notNull)
    // No reference: the record stays when the user or the device is gone.
    .addColumn('subject', 'text')
    .addColumn('details', 'text')
    .addColumn('outcome', 'text', (column) =>
      column.notNull().check(sql`outcome in ('begun', 'done', 'refused')`),
    )
    .addColumn('code', 'text')
    .execute()
  await db.schema.createIndex('audit_log_subject').on('audit_log').column('subject').execute()
  await db.schema.createIndex('audit_log_actor').on('audit_log').column('actor').execute()

  await db.schema
    .createTable('reports')
    .addColumn('key', 'integer', generatedKey(db))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('kind', 'text', notNull)
    .addColumn('subject_id', 'text', notNull)
    // A report stays when its reporter is gone.
    .addColumn('reporter_key', 'integer', (column) =>
      column.references('users.key').onDelete('set null'),
    )
    .addColumn('reason', 'text', notNull)
    .addColumn('text', 'text', notNull)
    .addColumn('seen_name', 'text', notNull)
    .addColumn('seen_link', 'text')
    .addColumn('seen_author', 'text', notNull)
    .addColumn('created_ms', 'bigint', notNull)
    .addColumn('outcome', 'text', (column) => column.check(sql`outcome in ('hidden', 'dismissed')`))
    .addColumn('settled_ms', 'bigint')
    .execute()
  await sql`
    create unique index reports_open_once on reports (kind, subject_id, reporter_key)
    where outcome is null`.execute(db)
  await db.schema
    .createIndex('reports_by_reporter')
    .on('reports')
    .columns(['reporter_key', 'created_ms'])
    .execute()
  await db.schema.createIndex('reports_by_settled').on('reports').column('settled_ms').execute()

  await db.schema
    .createTable('announcements')
    .addColumn('key', 'integer', generatedKey(db))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('level', 'text', (column) =>
      column.notNull().check(sql`level in ('news', 'warning')`),
    )
    .addColumn('title', 'text', notNull)
    .addColumn('text', 'text', notNull)
    .addColumn('starts_ms', 'bigint', notNull)
    .addColumn('ends_ms', 'bigint')
    .execute()
}
