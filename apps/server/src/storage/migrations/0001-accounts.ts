import { sql, type Kysely } from 'kysely'
import { bytes, generatedKey, leaveRoomForUpdates } from '../column-types.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('key', 'integer', generatedKey(db))
    .addColumn('username', 'text', (column) => column.notNull())
    .addColumn('username_folded', 'text', (column) => column.notNull().unique())
    .addColumn('password_hash', 'text')
    .addColumn('name', 'text')
    .addColumn('avatar', 'text')
    .addColumn('is_demo', 'integer', (column) => column.notNull())
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .addColumn('expires_ms', 'bigint')
    .execute()
  await db.schema
    .createIndex('users_by_expiry')
    .on('users')
    .column('expires_ms')
    .where(sql.ref('expires_ms'), 'is not', null)
    .execute()

  await db.schema
    .createTable('sessions')
    .addColumn('token_hash', bytes(db), (column) => column.primaryKey())
    .addColumn('user_key', 'integer', (column) =>
      column.notNull().references('users.key').onDelete('cascade'),
    )
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .addColumn('last_used_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('sessions_by_user').on('sessions').column('user_key').execute()
  await leaveRoomForUpdates(db, 'sessions', 90)
}
