import type { Kysely } from 'kysely'
import { bytes } from '../column-types.ts'

/** Users' pictures, by the names in `users.avatar`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('avatars')
    .addColumn('user_key', 'integer', (column) =>
      column.primaryKey().references('users.key').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('salt', bytes(db), (column) => column.notNull())
    .addColumn('image', bytes(db), (column) => column.notNull())
    .execute()
}
