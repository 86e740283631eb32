import { sql } from 'kysely'
import { countRows } from '../../../storage/count-rows.ts'
import { lockRows, lockTotal } from '../../../storage/locks.ts'
import type { RecordingStorage } from '../../../storage/storage.ts'
import { deletePerson } from '../people/insert-member.ts'
import {
  countOfIsland,
  islandState,
  selectIslands,
  toIsland,
  updateIslandRow,
} from '../sql-island-rows.ts'
import type { OperatorIslandsStore } from './operator-islands-store.ts'

export function sqlOperatorIslandsStore({ db, changes }: RecordingStorage): OperatorIslandsStore {
  return {
    list: async ({ search, only, after, limit }) => {
      let islands = selectIslands(db).select(countOfIsland('island_members').as('memberCount'))
      if (after !== undefined) {
        islands = islands.where(
          sql<boolean>`islands.key < (select key from islands where id = ${after})`,
        )
      }
      if (search !== undefined) {
        // Escapes the wildcards of LIKE. SQLite's lower() folds only ASCII letters.
        const text = search.replaceAll(/[\\%_]/g, String.raw`\$&`)
        const isIn = (column: string) =>
          sql<boolean>`lower(${sql.ref(column)}) like lower(${`%${text}%`}) escape '\\'`
        islands = islands.where((where) =>
          where.or(['islands.slug', 'islands.name', 'users.username'].map(isIn)),
        )
      }
      if (only !== undefined) {
        const state = only === 'drafts' ? 'draft' : only
        islands = islands.where(sql<boolean>`${islandState} = ${state}`)
      }
      const rows = await islands.orderBy('islands.key', 'desc').limit(limit).execute()
      return rows.map((row) => ({ island: toIsland(row), memberCount: row.memberCount }))
    },

    setHidden: (id, hidden) =>
      changes.write(async (transaction, record) => {
        const found = await transaction
          .selectFrom('islands')
          .select('key')
          .where('id', '=', id)
          .executeTakeFirst()
        if (found === undefined) return false
        const columns = { hidden_ms: hidden?.atMs ?? null, hidden_reason: hidden?.reason ?? null }
        await updateIslandRow({ transaction, record }, found.key, columns)
        return true
      }),

    setRelayStopped: (id, stopped) =>
      changes.write(async (transaction, record) => {
        const stoppedMs =
          stopped === null ? null : sql<number>`coalesce(relay_stopped_ms, ${stopped.atMs})`
        const row = await transaction
          .updateTable('islands')
          .set({ relay_stopped_ms: stoppedMs, relay_stopped_reason: stopped?.reason ?? null })
          .where('id', '=', id)
          .returning('key')
          .executeTakeFirst()
        if (row !== undefined) record('islands', [row.key])
        return row !== undefined
      }),

    handOver: (id, hostKey, limit) =>
      changes.write(async (transaction, record) => {
        // Nobody claims a slug for the old host meanwhile.
        await lockTotal(transaction, 'island_slugs')
        const seen = await transaction
          .selectFrom('islands')
          .select(['key', 'user_key'])
          .where('id', '=', id)
          .executeTakeFirst()
        if (seen === undefined) return 'missing'
        if (seen.user_key === hostKey) return 'handed_over'
        if (hostKey !== null) {
          await lockRows(transaction, 'users', [hostKey])
          const hosted = transaction.selectFrom('islands').where('user_key', '=', hostKey)
          if ((await countRows(hosted)) >= limit) return 'limit_reached'
          const person = { islandKey: seen.key, userKey: hostKey }
          for (const table of ['island_members', 'island_requests', 'island_blocks'] as const) {
            await deletePerson(transaction, table, person)
          }
          record('island-members', [seen.key], [[seen.key, hostKey]])
        }
        const columns = { user_key: hostKey, carrier_key: null }
        await updateIslandRow({ transaction, record }, seen.key, columns)
        // The old host proved that the domain is theirs.
        await transaction.deleteFrom('relay_domains').where('island_key', '=', seen.key).execute()
        // The old host may still have an invitation's code.
        await transaction
          .deleteFrom('island_invitations')
          .where('island_key', '=', seen.key)
          .execute()
        await transaction
          .updateTable('island_slugs')
          .set({ user_key: hostKey })
          .where('island_key', '=', seen.key)
          .execute()
        return 'handed_over'
      }),
  }
}
