import { sql, type Kysely } from 'kysely'
import { bytes, generatedKey, leaveRoomForUpdates } from '../../column-types.ts'
import { goesWith, notNull, oneFor } from './references.ts'

/** Users, what they sign in with, and what they may invite others with. */
export async function createAccounts(db: Kysely<unknown>): Promise<void> {
  await createUsers(db)
  await createAvatars(db)
  await createSessions(db)

  await db.schema
    .createTable('one_time_codes')
    .addColumn('key', 'integer', generatedKey(db))
    .addColumn('code_hash', bytes(db), (column) => column.notNull().unique())
    .addColumn('user_key', 'integer', goesWith('users.key'))
    .addColumn('purpose', 'text', (column) =>
      column.notNull().check(sql`purpose in ('password', 'email')`),
    )
    .addColumn('email', 'text')
    .addColumn('expires_ms', 'bigint', notNull)
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
    .addColumn('max_uses', 'integer', notNull)
    .addColumn('uses', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_by', 'text', notNull)
    .addColumn('created_ms', 'bigint', notNull)
    .addColumn('expires_ms', 'bigint', notNull)
    .execute()

  await db.schema
    .createTable('api_keys')
    .addColumn('key', 'integer', generatedKey(db))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('user_key', 'integer', goesWith('users.key'))
    .addColumn('key_hash', bytes(db), (column) => column.notNull().unique())
    .addColumn('start', 'text', notNull)
    .addColumn('name', 'text', notNull)
    .addColumn('scopes', 'text', notNull)
    .addColumn('created_ms', 'bigint', notNull)
    .addColumn('last_used_ms', 'bigint')
    .addColumn('expires_ms', 'bigint')
    .execute()
  await db.schema.createIndex('api_keys_by_user').on('api_keys').column('user_key').execute()
}

async function createUsers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('key', 'integer', generatedKey(db))
    .addColumn('username', 'text', notNull)
    .addColumn('username_folded', 'text', (column) => column.notNull().unique())
    .addColumn('password_hash', 'text')
    .addColumn('name', 'text')
    .addColumn('avatar', 'text')
    .addColumn('hue', 'integer')
    .addColumn('email', 'text')
    .addColumn('is_name_public', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('is_demo', 'integer', notNull)
    .addColumn('created_ms', 'bigint', notNull)
    .addColumn('expires_ms', 'bigint')
    .addColumn('disabled_ms', 'bigint')
    .addColumn('relay_stopped_ms', 'bigint')
    .addColumn('relay_stopped_reason', 'text')
    .addColumn('relay_trusted_ms', 'bigint')
    .execute()
  await db.schema
    .createIndex('users_by_expiry')
    .on('users')
    .column('expires_ms')
    .where(sql.ref('expires_ms'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('users_by_email')
    .on('users')
    .expression(sql`lower(email)`)
    .where(sql.ref('email'), 'is not', null)
    .execute()
  // There are few, so queries for public data can exclude them at almost no cost.
  await sql`
    create index users_disabled on users (key) where disabled_ms is not null`.execute(db)
}

/** Also for databases of before there were pictures. */
export async function createAvatars(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('avatars')
    .addColumn('user_key', 'integer', oneFor('users.key'))
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('salt', bytes(db), notNull)
    .addColumn('image', bytes(db), notNull)
    .execute()
}

async function createSessions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sessions')
    .addColumn('token_hash', bytes(db), (column) => column.primaryKey())
    .addColumn('id', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('user_key', 'integer', goesWith('users.key'))
    .addColumn('device', 'text')
    .addColumn('address_family', 'integer')
    .addColumn('created_ms', 'bigint', notNull)
    .addColumn('last_used_ms', 'bigint', notNull)
    .execute()
  await db.schema.createIndex('sessions_by_user').on('sessions').column('user_key').execute()
  await db.schema.createIndex('sessions_by_id').on('sessions').column('id').unique().execute()
  await leaveRoomForUpdates(db, 'sessions', 90)
}
