import { KeyChange } from '@astropelago/contract/neighbour-directory'
import { sql } from 'kysely'
import * as v from 'valibot'
import type { RecordingStorage } from '../../storage/storage.ts'
import type { InstallationStore } from './installation-store.ts'

export function sqlInstallationStore({ db }: Pick<RecordingStorage, 'db'>): InstallationStore {
  return {
    insert: async ({ privateKey, epoch }) => {
      await db
        .insertInto('installation')
        .values({
          key: 1,
          private_key: privateKey,
          key_number: 1,
          key_changes: '[]',
          epoch,
          feed_epoch: null,
        })
        .onConflict((conflict) => conflict.column('key').doNothing())
        .execute()
    },
    read: async () => {
      const row = await db.selectFrom('installation').selectAll().executeTakeFirstOrThrow()
      return {
        privateKey: row.private_key,
        keyNumber: row.key_number,
        keyChanges: v.parse(v.array(KeyChange), JSON.parse(row.key_changes)),
        epoch: row.epoch,
        feedEpoch: row.feed_epoch,
      }
    },
    beginEpoch: async (feedEpoch, nowMs) => {
      await db
        .updateTable('installation')
        .set({
          epoch: sql<number>`case when epoch < ${nowMs} then cast(${nowMs} as bigint) else epoch + 1 end`,
          feed_epoch: feedEpoch,
        })
        .execute()
    },
    changeKey: async ({ privateKey, keyNumber, keyChanges }) => {
      await db
        .updateTable('installation')
        .set({
          private_key: privateKey,
          key_number: keyNumber,
          key_changes: JSON.stringify(keyChanges),
        })
        .where('key_number', '=', keyNumber - 1)
        .execute()
    },
  }
}
