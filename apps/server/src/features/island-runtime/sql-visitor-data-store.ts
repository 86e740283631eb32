import type { Storage } from '../../storage/storage.ts'
import type { Holding, VisitorDataStore } from './visitor-data-store.ts'

export function sqlVisitorDataStore({
  db,
  changes,
}: Pick<Storage, 'db' | 'changes'>): VisitorDataStore {
  const valuesOf = (userKey: number) =>
    db.selectFrom('island_values').where('island_values.user_key', '=', userKey)
  const messagesOf = (userKey: number) =>
    db
      .selectFrom('room_events')
      .innerJoin('rooms', 'rooms.key', 'room_events.room_key')
      .where('room_events.user_key', '=', userKey)
      .where('room_events.kind', '=', 'message')
      .where('room_events.value', 'is not', null)

  return {
    list: async (userKey) => {
      const values = await valuesOf(userKey)
        .innerJoin('islands', 'islands.key', 'island_values.island_key')
        .select(({ fn }) => [
          'islands.key',
          'islands.id',
          fn.countAll<number>().as('values'),
          fn.sum<number>('bytes').as('bytes'),
        ])
        .groupBy(['islands.key', 'islands.id'])
        .execute()
      const messages = await messagesOf(userKey)
        .innerJoin('islands', 'islands.key', 'rooms.island_key')
        .select(({ fn }) => ['islands.key', 'islands.id', fn.countAll<number>().as('messages')])
        .groupBy(['islands.key', 'islands.id'])
        .execute()
      const found = new Map<number, Holding>()
      for (const row of values) {
        const sizes = { values: row.values, valueBytes: row.bytes, messages: 0 }
        found.set(row.key, { islandKey: row.key, islandId: row.id, ...sizes })
      }
      for (const row of messages) {
        const before = found.get(row.key) ?? {
          islandKey: row.key,
          islandId: row.id,
          values: 0,
          valueBytes: 0,
        }
        found.set(row.key, { ...before, messages: row.messages })
      }
      return [...found.values()]
    },

    listValues: async (userKey, islandKey) =>
      await valuesOf(userKey)
        .select(['store', 'name as key', 'value', 'changed_ms as changedMs'])
        .where('island_key', '=', islandKey)
        .orderBy('store')
        .orderBy('name')
        .execute(),

    listMessages: async (userKey, islandKey, { before, limit }) => {
      const rows = await messagesOf(userKey)
        .select(['rooms.name as room', 'at_ms as atMs', 'value', 'room_key as roomKey', 'n'])
        .where('rooms.island_key', '=', islandKey)
        .$if(before !== undefined, (query) =>
          query.where((eb) =>
            eb(eb.refTuple('room_key', 'n'), '<', eb.tuple(before?.roomKey ?? 0, before?.n ?? 0)),
          ),
        )
        .orderBy('room_key', 'desc')
        .orderBy('n', 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ value, ...row }) => Object.assign(row, { value: value ?? 'null' }))
    },

    deleteValues: (userKey, islandKey) =>
      changes.write(async (transaction, record) => {
        record('island-values', [islandKey])
        await transaction
          .deleteFrom('island_values')
          .where('user_key', '=', userKey)
          .where('island_key', '=', islandKey)
          .execute()
      }),

    listAuthors: async (userKey, islandKey) => {
      const rows = await messagesOf(userKey)
        .select(['rooms.name as room', 'author_id as visitor'])
        .distinct()
        .where('rooms.island_key', '=', islandKey)
        .execute()
      return rows.flatMap(({ room, visitor }) => (visitor === null ? [] : [{ room, visitor }]))
    },
  }
}
