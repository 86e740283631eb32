import type { UpdateObject } from 'kysely'
import type { Schema } from '../../storage/schema.ts'
import type { DatabaseTransaction } from '../../storage/storage.ts'

/** Includes the table's name, for joins. */
export const userColumns = [
  'users.key',
  'users.username',
  'users.password_hash as passwordHash',
  'users.name',
  'users.avatar',
  'users.hue',
  'users.is_name_public as isNamePublic',
  'users.is_demo as isDemo',
  'users.created_ms as createdMs',
  'users.expires_ms as expiresMs',
  'users.disabled_ms as disabledMs',
] as const

export function toUser<Row extends { readonly isNamePublic: number; readonly isDemo: number }>(
  row: Row,
) {
  return { ...row, isNamePublic: row.isNamePublic === 1, isDemo: row.isDemo === 1 }
}

export async function updateUser(
  transaction: DatabaseTransaction,
  userKey: number,
  changes: UpdateObject<Schema, 'users'>,
) {
  const row = await transaction
    .updateTable('users')
    .set(changes)
    .where('key', '=', userKey)
    .returning(userColumns)
    .executeTakeFirst()
  return row && toUser(row)
}
