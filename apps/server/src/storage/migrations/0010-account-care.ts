import { sql, type Kysely } from 'kysely'
import { bytes, generatedKey } from '../column-types.ts'
import { isPostgres } from '../database-kind.ts'

/** What people need to manage their own accounts: named sessions, addresses, codes, invites. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('sessions')
    .addColumn('id', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  const randomId = isPostgres(db) ? sql`gen_random_uuid()::text` : sql`lower(hex(randomblob(16)))`
  await sql`update sessions set id = ${randomId}`.execute(db)
  await db.schema.createIndex('sessions_by_id').on('sessions').column('id').unique().execute()
  await db.schema.alterTable('sessions').addColumn('device', 'text').execute()
  await db.schema.alterTable('sessions').addColumn('address_family', 'integer').execute()

  await db.schema.alterTable('users').addColumn('hue', 'integer').execute()
  await db.schema.alterTable('users').addColumn('email', 'text').execute()
  await db.schema
    .createIndex('users_by_email')
    .on('users')
    .expression(sql`lower(email)`)
    .where(sql.ref('email'), 'is not', null)
    .execute()

  await db.schema
    .createTable('one_time_codes')
    .addColumn('key', 'integer', generatedKey(db))
    .addColumn('code_hash', bytes(db), (column) => column.notNull().unique())
    .addColumn('user_key', 'integer', (column) =>
      column.notNull().references('users.key').onDelete('cascade'),
    )
    .addColumn('purpose', 'text', (column) =>
      column.notNull().check(sql`purpose in ('password', 'email')`),
    )
    .addColumn('email', 'text')
    .addColumn('expires_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('one_time_codes_by_user')
    .on('one_time_codes')
    .columns(['user_key', 'purpose'])
    .execute()

  await db.schema
    .createTable('invites')
    .addColumn('key', 'integer', generatedKey(db))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('code_hash', bytes(db), (column) => column.notNull().unique())
    .addColumn('note', 'text')
    .addColumn('max_uses', 'integer', (column) => column.notNull())
    .addColumn('uses', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .addColumn('expires_ms', 'bigint', (column) => column.notNull())
    .execute()
}
