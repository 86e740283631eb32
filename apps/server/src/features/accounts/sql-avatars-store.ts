import { createHash, randomBytes } from 'node:crypto'
import { lockRows } from '../../storage/locks.ts'
import type { Database, RecordingStorage } from '../../storage/storage.ts'
import type { AccountsStore } from './accounts-store.ts'
import { updateUser } from './sql-user-rows.ts'

const nameLength = 32

export function sqlAvatarsStore({ db, changes }: RecordingStorage) {
  return {
    setAvatar: (userKey, image) =>
      changes.write(async (transaction, record) => {
        await lockRows(transaction, 'users', [userKey])
        record('users', [userKey])
        const avatar = image === null ? null : await putImage(transaction, userKey, image)
        if (image === null) {
          await transaction.deleteFrom('avatars').where('user_key', '=', userKey).execute()
        }
        return await updateUser(transaction, userKey, { avatar })
      }),

    readAvatar: async (name) => {
      const row = await db
        .selectFrom('avatars')
        .innerJoin('users', 'users.key', 'avatars.user_key')
        .select('image')
        .where('avatars.name', '=', name)
        .where('users.disabled_ms', 'is', null)
        .executeTakeFirst()
      return row?.image
    },

    readAvatarOf: async (userKey) => {
      const row = await db
        .selectFrom('avatars')
        .select('image')
        .where('user_key', '=', userKey)
        .executeTakeFirst()
      return row?.image
    },
  } satisfies Partial<AccountsStore>
}

async function putImage(transaction: Database, userKey: number, image: Uint8Array) {
  const stored = await transaction
    .selectFrom('avatars')
    .select('salt')
    .where('user_key', '=', userKey)
    .executeTakeFirst()
  const salt = stored?.salt ?? randomBytes(16)
  const hash = createHash('sha256').update(salt).update(image).digest('hex')
  const name = hash.slice(0, nameLength)
  await transaction
    .insertInto('avatars')
    .values({ user_key: userKey, name, salt, image })
    .onConflict((conflict) => conflict.column('user_key').doUpdateSet({ name, image }))
    .execute()
  return name
}
