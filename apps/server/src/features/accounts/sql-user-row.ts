import type { RowOf } from '../../storage/schema.ts'
import type { UserRecord } from './accounts-store.ts'

/** Includes the table's name, for joins. */
export const userColumns = [
  'users.key',
  'users.username',
  'users.password_hash',
  'users.name',
  'users.avatar',
  'users.hue',
  'users.is_name_public',
  'users.is_demo',
  'users.created_ms',
  'users.expires_ms',
  'users.disabled_ms',
] as const

type UserRow = Omit<
  RowOf<'users'>,
  'username_folded' | 'email' | 'relay_stopped_ms' | 'relay_stopped_reason' | 'relay_trusted_ms'
>

export function toUser(row: UserRow): UserRecord {
  return {
    key: row.key,
    username: row.username,
    passwordHash: row.password_hash,
    name: row.name,
    avatar: row.avatar,
    hue: row.hue,
    isNamePublic: row.is_name_public === 1,
    isDemo: row.is_demo === 1,
    createdMs: row.created_ms,
    expiresMs: row.expires_ms,
    disabledMs: row.disabled_ms,
  }
}
