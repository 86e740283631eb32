import { sql } from 'kysely'
import { lockRows, lockTotal } from '../../../storage/locks.ts'
import type { DatabaseTransaction, RecordingStorage } from '../../../storage/storage.ts'
import type { PortsStore, PortWish } from './ports-store.ts'

export function sqlPortsStore({ db, changes }: RecordingStorage): PortsStore {
  const selectHeld = () =>
    db
      .selectFrom('relay_ports')
      .innerJoin('islands', 'islands.key', 'relay_ports.island_key')
      .where('relay_ports.freed_ms', 'is', null)
      .where('islands.is_relayed', '=', 1)

  return {
    take: (wish) =>
      changes.write(async (transaction, record) => {
        await lockTotal(transaction, 'relay_ports')
        const island = await findOwn(transaction, wish.userKey, wish.islandId)
        if (island === undefined) return 'no-island'
        // Locks the island, so that it does not leave the relay meanwhile.
        await lockRows(transaction, 'islands', [island.key])
        if (island.is_relayed === 0) return 'not-relayed'
        const port =
          (await takeAgain(transaction, island.key, wish)) ?? (await free(transaction, wish))
        if (port === undefined) return 'none-free'
        await transaction
          .insertInto('relay_ports')
          .values({ port, island_key: island.key, freed_ms: null })
          .onConflict((conflict) =>
            conflict.column('port').doUpdateSet({ island_key: island.key, freed_ms: null }),
          )
          .execute()
        record('islands', [island.key])
        return { islandKey: island.key, port }
      }),

    giveBack: (userKey, islandId, atMs) =>
      changes.write(async (transaction, record) => {
        const island = await findOwn(transaction, userKey, islandId)
        if (island === undefined) return undefined
        const { numUpdatedRows } = await transaction
          .updateTable('relay_ports')
          .set({ freed_ms: atMs })
          .where('island_key', '=', island.key)
          .where('freed_ms', 'is', null)
          .executeTakeFirstOrThrow()
        if (numUpdatedRows > 0n) record('islands', [island.key])
        return { islandKey: island.key, hadPort: numUpdatedRows > 0n }
      }),

    freeUnused: (atMs) =>
      changes.write(async (transaction, record) => {
        const freed = await transaction
          .updateTable('relay_ports')
          .set({ freed_ms: atMs })
          .where('freed_ms', 'is', null)
          .where(
            sql<boolean>`not exists (
              select 1 from islands
              where islands.key = relay_ports.island_key and islands.is_relayed = 1)`,
          )
          .returning('island_key')
          .execute()
        record(
          'islands',
          freed.flatMap(({ island_key }) => island_key ?? []),
        )
      }),

    list: () => selectHeld().select(['islands.key as islandKey', 'relay_ports.port']).execute(),

    find: async (islandKey) => {
      const row = await selectHeld()
        .select('relay_ports.port')
        .where('relay_ports.island_key', '=', islandKey)
        .executeTakeFirst()
      return row?.port
    },
  }
}

function findOwn(transaction: DatabaseTransaction, userKey: number, islandId: string) {
  return transaction
    .selectFrom('islands')
    .select(['key', 'is_relayed'])
    .where('id', '=', islandId)
    .where('user_key', '=', userKey)
    .executeTakeFirst()
}

/** The port that the island has or had. One that is no longer given out is released for good. */
async function takeAgain(
  transaction: DatabaseTransaction,
  islandKey: number,
  { range, atMs }: PortWish,
): Promise<number | undefined> {
  const row = await transaction
    .selectFrom('relay_ports')
    .select('port')
    .where('island_key', '=', islandKey)
    .executeTakeFirst()
  if (row === undefined || (row.port >= range.first && row.port <= range.last)) return row?.port
  await transaction
    .updateTable('relay_ports')
    .set({ island_key: null, freed_ms: atMs })
    .where('port', '=', row.port)
    .execute()
  return undefined
}

async function free(
  transaction: DatabaseTransaction,
  { range: { first, last }, freedUntilMs }: PortWish,
): Promise<number | undefined> {
  const rows = await transaction
    .selectFrom('relay_ports')
    .select(['port', 'freed_ms'])
    .where('port', '>=', first)
    .where('port', '<=', last)
    .orderBy('freed_ms')
    .execute()
  const given = new Set(rows.map(({ port }) => port))
  for (let port = first; port <= last; port += 1) if (!given.has(port)) return port
  return rows.find(({ freed_ms }) => freed_ms !== null && freed_ms <= freedUntilMs)?.port
}
