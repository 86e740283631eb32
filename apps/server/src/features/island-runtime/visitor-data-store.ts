import type { Storage } from '../../storage/storage.ts'
import type { ValueId } from './island-values-store.ts'

export interface Holding {
  readonly islandKey: number
  readonly islandId: string
  readonly values: number
  readonly valueBytes: number
  readonly messages: number
}

export interface HeldValue {
  readonly store: string
  readonly key: string
  /** JSON. */
  readonly value: string
  readonly changedMs: number
}

export interface HeldMessage {
  readonly room: string
  readonly atMs: number
  /** JSON. */
  readonly value: string
}

export type VisitorDataStore = ReturnType<typeof sqlVisitorDataStore>

/** What islands hold of a user. */
export function sqlVisitorDataStore({ db }: Pick<Storage, 'db'>) {
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
    list: async (userKey: number): Promise<readonly Holding[]> => {
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
        const sizes = { values: Number(row.values), valueBytes: Number(row.bytes), messages: 0 }
        found.set(row.key, { islandKey: row.key, islandId: row.id, ...sizes })
      }
      for (const row of messages) {
        const before = found.get(row.key) ?? {
          islandKey: row.key,
          islandId: row.id,
          values: 0,
          valueBytes: 0,
        }
        found.set(row.key, { ...before, messages: Number(row.messages) })
      }
      return [...found.values()]
    },

    listValues: async (userKey: number, islandKey: number): Promise<readonly HeldValue[]> =>
      await valuesOf(userKey)
        .select(['store', 'name as key', 'value', 'changed_ms as changedMs'])
        .where('island_key', '=', islandKey)
        .orderBy('store')
        .orderBy('name')
        .execute(),

    listMessages: async (userKey: number, islandKey: number): Promise<readonly HeldMessage[]> => {
      const rows = await messagesOf(userKey)
        .select(['rooms.name as room', 'at_ms as atMs', 'value'])
        .where('rooms.island_key', '=', islandKey)
        .orderBy('rooms.name')
        .orderBy('n')
        .execute()
      return rows.map(({ value, ...row }) => ({ ...row, value: value ?? 'null' }))
    },

    deleteValues: async (userKey: number, islandKey: number): Promise<readonly ValueId[]> =>
      await db
        .deleteFrom('island_values')
        .where('user_key', '=', userKey)
        .where('island_key', '=', islandKey)
        .returning(['island_key as islandKey', 'store', 'owner_key as ownerKey', 'name as key'])
        .execute(),

    /** The rooms with messages of the user, and the ids by which the island knows the user there. */
    listAuthors: async (userKey: number, islandKey: number) => {
      const rows = await messagesOf(userKey)
        .select(['rooms.name as room', 'author_id as visitor'])
        .distinct()
        .where('rooms.island_key', '=', islandKey)
        .execute()
      return rows.flatMap(({ room, visitor }) => (visitor === null ? [] : [{ room, visitor }]))
    },
  }
}
