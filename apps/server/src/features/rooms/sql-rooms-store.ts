import { randomUUID } from 'node:crypto'
import { roomsPerIsland } from '@astropelago/contract/limits'
import type { Moderation, RoomEvent } from '@astropelago/contract/rooms'
import { sql, type Selectable, type Transaction } from 'kysely'
import { isPostgres } from '../../storage/database-kind.ts'
import type { Schema } from '../../storage/schema.ts'
import { rowList, valueList } from '../../storage/sql-lists.ts'
import type { Storage } from '../../storage/storage.ts'
import type {
  AppendOutcome,
  NewEvent,
  NewMessage,
  NewModeration,
  RoomRecord,
  RoomsStore,
  Silence,
  StoredEvent,
  Writer,
} from './rooms-store.ts'

type EventRow = Selectable<Schema['room_events']>

const roomColumns = [
  'key',
  'id',
  'island_key as islandKey',
  'name',
  'last_n as last',
  'is_read_only',
  'changed_ms as changedMs',
] as const

const eventColumns = [
  'room_key',
  'n',
  'at_ms',
  'kind',
  'user_key',
  'author_id',
  'author_name',
  'client_id',
  'value',
] as const

export function sqlRoomsStore({ db, longReads }: Pick<Storage, 'db' | 'longReads'>): RoomsStore {
  return {
    append: (events) =>
      db.transaction().execute(async (transaction) => {
        // As whoever deletes a user does, so that the two never deadlock.
        const users = await lockUsers(transaction, await readPeople(transaction, events))
        const rooms = await openRooms(transaction, events)
        const plan = await readPlan(transaction, events, { users, rooms })
        const outcomes: AppendOutcome[] = []
        for (const event of events) outcomes.push(await plan.append(event))
        await plan.write()
        return outcomes
      }),

    find: async (islandKey, name) => {
      const row = await db
        .selectFrom('rooms')
        .select(roomColumns)
        .where('island_key', '=', islandKey)
        .where('name', '=', name)
        .executeTakeFirst()
      return row && toRoom(row)
    },

    list: async (islandKey) => {
      const rows = await db
        .selectFrom('rooms')
        .select(roomColumns)
        .select((build) =>
          build
            .selectFrom('room_events')
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .whereRef('room_key', '=', 'rooms.key')
            .where('kind', '=', 'message')
            .where('value', 'is not', null)
            .as('messageCount'),
        )
        .where('island_key', '=', islandKey)
        .orderBy('changed_ms', 'desc')
        .execute()
      return rows.map((row) => {
        const { key, id, name, last, changedMs, messageCount, is_read_only: isReadOnly } = row
        return {
          key,
          id,
          islandKey,
          name,
          last,
          changedMs,
          messageCount: messageCount ?? 0,
          isReadOnly: isReadOnly === 1,
        }
      })
    },

    readLast: async (roomKey, limit) => {
      const rows = await longReads
        .selectFrom('room_events')
        .select(eventColumns)
        .where('room_key', '=', roomKey)
        .where('kind', '=', 'message')
        .where('value', 'is not', null)
        .orderBy('n', 'desc')
        .limit(limit)
        .execute()
      return rows.toReversed().map(toStored)
    },

    readAfter: async (roomKey, n) => {
      // One statement: what is pruned meanwhile would leave a gap unseen.
      const rows = await db
        .selectFrom('rooms')
        .leftJoin('room_events', (join) =>
          join
            .onRef('room_events.room_key', '=', 'rooms.key')
            .on('room_events.n', '>', n)
            .on('room_events.value', 'is not', null),
        )
        .select('last_n as last')
        .select((room) =>
          room
            .selectFrom('room_events as kept')
            .select((kept) => kept.fn.min('kept.n').as('n'))
            .where('kept.room_key', '=', roomKey)
            .as('first'),
        )
        .select(eventColumns)
        .where('rooms.key', '=', roomKey)
        .orderBy('n')
        .execute()
      const [{ last, first } = { last: 0, first: null }] = rows
      const events = rows.filter((row): row is EventRow & typeof row => row.n !== null)
      return { last, first: first ?? 0, events: events.map(toStored) }
    },

    readLastNumbers: async (roomKeys) => {
      const rows = await db
        .selectFrom('rooms')
        .select(['key', 'last_n as last'])
        .where('key', 'in', valueList(db, 'integer', roomKeys))
        .execute()
      return new Map(rows.map(({ key, last }) => [key, last]))
    },

    isBlocked: async (islandKey, userKey, nowMs) => {
      const row = await db
        .selectFrom('room_silences')
        .select('kind')
        .where('island_key', '=', islandKey)
        .where('user_key', '=', userKey)
        .where('kind', '=', 'block')
        .where((eb) => eb.or([eb('until_ms', 'is', null), eb('until_ms', '>', nowMs)]))
        .executeTakeFirst()
      return row !== undefined
    },

    listBlocked: async (islandKeys, nowMs) =>
      await db
        .selectFrom('room_silences')
        .select(['island_key as islandKey', 'user_key as userKey'])
        .where('island_key', 'in', valueList(db, 'integer', islandKeys))
        .where('kind', '=', 'block')
        .where((eb) => eb.or([eb('until_ms', 'is', null), eb('until_ms', '>', nowMs)]))
        .execute(),

    listSilenced: async (islandKey, nowMs) =>
      await db
        .selectFrom('room_silences')
        .select([
          'user_key as userKey',
          'visitor_id as visitorId',
          'name',
          'kind',
          'until_ms as untilMs',
        ])
        .where('island_key', '=', islandKey)
        .where((eb) => eb.or([eb('until_ms', 'is', null), eb('until_ms', '>', nowMs)]))
        .orderBy('name')
        .execute(),

    findMessage: async (roomId, n) => {
      const row = await db
        .selectFrom('room_events')
        .innerJoin('rooms', 'rooms.key', 'room_events.room_key')
        .leftJoin('users', 'users.key', 'room_events.user_key')
        .select(['rooms.island_key as islandKey', 'rooms.name', 'value', 'user_key', 'username'])
        .where('rooms.id', '=', roomId)
        .where('n', '=', n)
        .where('kind', '=', 'message')
        .executeTakeFirst()
      if (row === undefined || row.value === null) return undefined
      const { islandKey, name, value, user_key: userKey, username } = row
      const author = userKey === null || username === null ? null : { userKey, username }
      return { room: { islandKey, name }, value, author }
    },

    prune: async (kept, limit) => {
      const { rows } = await sql<{ gone: number }>`
        delete from room_events where (room_key, n) in (
          select room_events.room_key, room_events.n
          from rooms join room_events on room_events.room_key = rooms.key
          where rooms.last_n > ${kept} and room_events.n <= rooms.last_n - ${kept}
          limit ${limit}
        ) returning 1 as gone`.execute(db)
      return rows.length
    },
  }
}

const roomName = (islandKey: number, name: string): string => `${islandKey} ${name}`

/** How many rooms an island may have before this event makes another one. */
function roomsMaxFor(event: NewEvent): number {
  const isModerators =
    event.kind === 'message' ? event.isModerator : event.action.kind === 'read-only'
  // Whatever visitors fill, moderators can still open the rooms that their pages need.
  if (isModerators) return 2 * roomsPerIsland
  return event.kind === 'message' ? roomsPerIsland : 0
}

/** The rooms that the events are for, made as needed and locked until the transaction ends. */
async function openRooms(
  transaction: Transaction<Schema>,
  events: readonly NewEvent[],
): Promise<Map<string, RoomRecord>> {
  const wanted = new Map(
    events.map((event) => [roomName(event.islandKey, event.room), event] as const),
  )
  const list = rowList(transaction, {
    island_key: ['integer', [...wanted.values()].map(({ islandKey }) => islandKey)],
    name: ['text', [...wanted.values()].map(({ room }) => room)],
    id: ['text', [...wanted.values()].map(() => randomUUID())],
    at_ms: ['bigint', [...wanted.values()].map(({ atMs }) => atMs)],
    rooms_max: [
      'integer',
      [...wanted.keys()].map((name) =>
        Math.max(
          ...events
            .filter((event) => roomName(event.islandKey, event.room) === name)
            .map(roomsMaxFor),
        ),
      ),
    ],
  })
  await sql`
    insert into rooms (id, island_key, name, last_n, is_read_only, changed_ms)
    select given.id, given.island_key, given.name, 0, 0, given.at_ms
    from (${list}) as given join islands on islands.key = given.island_key
    where not exists (
        -- A conflict would use a key up.
        select 1 from rooms as own
        where own.island_key = given.island_key and own.name = given.name
      )
      and (select count(*) from rooms as held where held.island_key = given.island_key)
        + (select count(*) from (${list}) as before
            where before.island_key = given.island_key and before.position < given.position)
      < given.rooms_max
    order by given.island_key, given.name
    on conflict (island_key, name) do nothing`.execute(transaction)
  const lock = isPostgres(transaction) ? sql`for update of rooms` : sql``
  // Always in one order, so that two transactions never deadlock.
  const { rows } = await sql<RoomRecord & { is_read_only: number }>`
    select rooms.key, rooms.id, rooms.island_key as "islandKey", rooms.name, rooms.last_n as last,
      rooms.is_read_only, rooms.changed_ms as "changedMs"
    from rooms join (${list}) as given
      on given.island_key = rooms.island_key and given.name = rooms.name
    order by rooms.key ${lock}`.execute(transaction)
  return new Map(rows.map((row) => [roomName(row.islandKey, row.name), toRoom(row)]))
}

/** Judges events in order, with what the database says about their rooms and authors. */
async function readPlan(
  transaction: Transaction<Schema>,
  events: readonly NewEvent[],
  {
    users,
    rooms,
  }: { readonly users: ReadonlySet<number>; readonly rooms: Map<string, RoomRecord> },
) {
  const messages = events.filter((event): event is NewMessage => event.kind === 'message')
  const silences = await readSilences(
    transaction,
    events.map(({ islandKey }) => islandKey),
    [...users],
  )
  const sent = await readSent(transaction, messages, rooms)
  const inserted: EventRow[] = []
  const changed = new Set<string>()

  const add = (event: NewEvent, row: Omit<EventRow, 'room_key' | 'n' | 'at_ms'>): AppendOutcome => {
    const name = roomName(event.islandKey, event.room)
    const before = rooms.get(name)
    if (before === undefined) return 'rooms_full'
    const isReadOnly = row.kind === 'read-only' ? row.value === 'true' : before.isReadOnly
    const room = { ...before, last: before.last + 1, changedMs: event.atMs, isReadOnly }
    rooms.set(name, room)
    changed.add(name)
    const stored = { ...row, room_key: room.key, n: room.last, at_ms: event.atMs }
    inserted.push(stored)
    return { room, stored: toStored(stored) }
  }

  const appendMessage = (message: NewMessage): AppendOutcome => {
    const { islandKey, userKey, author, clientId, value, isModerator, atMs } = message
    const room = rooms.get(roomName(islandKey, message.room))
    if (room === undefined) return 'rooms_full'
    const before = sent.get(`${room.key} ${clientId}`)
    if (before !== undefined) return { room, stored: before }
    if (author !== null && !users.has(author.userKey)) return 'signed_out'
    const silence = isModerator ? undefined : silences.get(`${islandKey} ${userKey}`)
    if (silence !== undefined && (silence.untilMs ?? Infinity) > atMs) return 'muted'
    if (room.isReadOnly && !isModerator) return 'read_only'
    const outcome = add(message, {
      kind: 'message',
      ...authorColumns(author),
      client_id: clientId,
      value,
    })
    if (typeof outcome !== 'string') sent.set(`${room.key} ${clientId}`, outcome.stored)
    return outcome
  }

  const appendModeration = async (moderation: NewModeration): Promise<AppendOutcome> => {
    const { islandKey, action, authorKey, atMs } = moderation
    const room = rooms.get(roomName(islandKey, moderation.room))
    if (room === undefined) return action.kind === 'read-only' ? 'rooms_full' : 'not_found'
    if (authorKey !== null) {
      const refusal = await refuseOwn(transaction, room, { authorKey, action })
      if (refusal !== undefined) return refusal
    }
    if (action.kind === 'mute' || action.kind === 'block' || action.kind === 'unmute') {
      const visitor = await findVisitor(transaction, islandKey, action.visitor)
      if (visitor === undefined) return 'not_found'
      await setSilence(transaction, { islandKey, visitor, action, atMs })
      const key = `${islandKey} ${visitor.userKey}`
      if (action.kind === 'unmute') silences.delete(key)
      else silences.set(key, { untilMs: untilOf(action, atMs) })
    }
    const nobody = { user_key: null, author_id: null, author_name: null, client_id: null }
    return add(moderation, { kind: action.kind, ...nobody, value: valueOf(action, atMs) })
  }

  return {
    append: async (event: NewEvent): Promise<AppendOutcome> =>
      event.kind === 'message' ? appendMessage(event) : await appendModeration(event),
    write: async (): Promise<void> => {
      if (inserted.length === 0) return
      await insertEvents(transaction, inserted)
      await updateRooms(
        transaction,
        [...changed].flatMap((name) => rooms.get(name) ?? []),
      )
      for (const row of inserted) await applyDeletion(transaction, row)
    },
  }
}

function authorColumns(author: Writer | null) {
  return {
    user_key: author?.userKey ?? null,
    author_id: author?.id ?? null,
    author_name: author?.name ?? null,
  }
}

/** Whoever wrote a message, named or not, and whom a moderator means. */
async function readPeople(transaction: Transaction<Schema>, events: readonly NewEvent[]) {
  const writers = events.flatMap((event) => (event.kind === 'message' ? (event.userKey ?? []) : []))
  const meant = events.flatMap((event) =>
    event.kind === 'moderation' && 'visitor' in event.action
      ? [{ islandKey: event.islandKey, visitor: event.action.visitor }]
      : [],
  )
  if (meant.length === 0) return writers
  const list = rowList(transaction, {
    island_key: ['integer', meant.map(({ islandKey }) => islandKey)],
    visitor_id: ['text', meant.map(({ visitor }) => visitor)],
  })
  const { rows } = await sql<{ userKey: number }>`
    select user_key as "userKey" from relay_answers join (${list}) as given
      using (island_key, visitor_id)`.execute(transaction)
  return [...writers, ...rows.map(({ userKey }) => userKey)]
}

/** Those who are there, and stay until the transaction ends. */
async function lockUsers(transaction: Transaction<Schema>, userKeys: readonly number[]) {
  const rows = await transaction
    .selectFrom('users')
    .select('key')
    .where('key', 'in', valueList(transaction, 'integer', userKeys))
    // Always in one order, so that two transactions never deadlock.
    .orderBy('key')
    .$if(isPostgres(transaction), (users) => users.forNoKeyUpdate())
    .execute()
  return new Set(rows.map(({ key }) => key))
}

async function readSilences(
  transaction: Transaction<Schema>,
  islandKeys: readonly number[],
  userKeys: readonly number[],
) {
  const rows = await transaction
    .selectFrom('room_silences')
    .select(['island_key', 'user_key', 'until_ms as untilMs'])
    .where('island_key', 'in', valueList(transaction, 'integer', islandKeys))
    .where('user_key', 'in', valueList(transaction, 'integer', userKeys))
    .execute()
  return new Map<string, Pick<Silence, 'untilMs'>>(
    rows.map((row) => [`${row.island_key} ${row.user_key}`, row]),
  )
}

/** Messages that were sent before, by their room and their own id. */
async function readSent(
  transaction: Transaction<Schema>,
  messages: readonly NewMessage[],
  rooms: ReadonlyMap<string, RoomRecord>,
) {
  const keys = messages.map(({ islandKey, room }) => rooms.get(roomName(islandKey, room))?.key ?? 0)
  const list = rowList(transaction, {
    room_key: ['integer', keys],
    client_id: ['text', messages.map(({ clientId }) => clientId)],
  })
  const { rows } = await sql<EventRow>`
    select room_events.* from room_events join (${list}) as given
      on given.room_key = room_events.room_key and given.client_id = room_events.client_id`.execute(
    transaction,
  )
  return new Map(rows.map((row) => [`${row.room_key} ${row.client_id}`, toStored(row)]))
}

/** Why a visitor may not delete a message. */
async function refuseOwn(
  transaction: Transaction<Schema>,
  { key }: RoomRecord,
  { authorKey, action }: Pick<NewModeration, 'authorKey' | 'action'>,
): Promise<'not_yours' | 'unchanged' | undefined> {
  if (action.kind !== 'delete') return 'not_yours'
  const row = await transaction
    .selectFrom('room_events')
    .select(['user_key', 'value'])
    .where('room_key', '=', key)
    .where('n', '=', action.message)
    .executeTakeFirst()
  // One whose answer was lost comes again.
  if (row?.value === null) return 'unchanged'
  return row?.user_key === authorKey ? undefined : 'not_yours'
}

async function findVisitor(
  transaction: Transaction<Schema>,
  islandKey: number,
  visitorId: string,
): Promise<Writer | undefined> {
  const row = await transaction
    .selectFrom('relay_answers')
    .innerJoin('users', 'users.key', 'relay_answers.user_key')
    .select(['user_key as userKey', 'visitor_id as id', 'users.name', 'username'])
    .where('island_key', '=', islandKey)
    .where('visitor_id', '=', visitorId)
    .executeTakeFirst()
  return row && { userKey: row.userKey, id: row.id, name: row.name ?? row.username }
}

type Silencing = Extract<Moderation, { kind: 'mute' | 'block' | 'unmute' }>

function untilOf(action: Silencing, atMs: number): number | null {
  if (action.kind === 'unmute' || action.minutes === undefined) return null
  return atMs + action.minutes * 60_000
}

async function setSilence(
  transaction: Transaction<Schema>,
  {
    islandKey,
    visitor,
    action,
    atMs,
  }: {
    readonly islandKey: number
    readonly visitor: Writer
    readonly action: Silencing
    readonly atMs: number
  },
): Promise<void> {
  const { userKey, id, name } = visitor
  if (action.kind === 'unmute') {
    await transaction
      .deleteFrom('room_silences')
      .where('island_key', '=', islandKey)
      .where('user_key', '=', userKey)
      .execute()
    return
  }
  const changes = { name, kind: action.kind, until_ms: untilOf(action, atMs) }
  await transaction
    .insertInto('room_silences')
    .values({ island_key: islandKey, user_key: userKey, visitor_id: id, ...changes })
    .onConflict((conflict) => conflict.columns(['island_key', 'user_key']).doUpdateSet(changes))
    .execute()
}

function valueOf(action: Moderation, atMs: number): string {
  if (action.kind === 'delete') return String(action.message)
  if (action.kind === 'read-only') return String(action.isOn)
  const { kind, visitor } = action
  if (kind === 'erase' || kind === 'unmute') return JSON.stringify(visitor)
  return JSON.stringify({ visitor, untilMs: untilOf(action, atMs) })
}

async function insertEvents(transaction: Transaction<Schema>, rows: readonly EventRow[]) {
  const list = rowList(transaction, {
    room_key: ['integer', rows.map((row) => row.room_key)],
    n: ['integer', rows.map((row) => row.n)],
    at_ms: ['bigint', rows.map((row) => row.at_ms)],
    kind: ['text', rows.map((row) => row.kind)],
    user_key: ['integer', rows.map((row) => row.user_key)],
    author_id: ['text', rows.map((row) => row.author_id)],
    author_name: ['text', rows.map((row) => row.author_name)],
    client_id: ['text', rows.map((row) => row.client_id)],
    value: ['text', rows.map((row) => row.value)],
  })
  const columns = sql.join(eventColumns.map((name) => sql.ref(name)))
  await sql`insert into room_events (${columns}) select ${columns} from (${list}) as given`.execute(
    transaction,
  )
}

async function updateRooms(transaction: Transaction<Schema>, rooms: readonly RoomRecord[]) {
  const list = rowList(transaction, {
    key: ['integer', rooms.map(({ key }) => key)],
    last_n: ['integer', rooms.map(({ last }) => last)],
    is_read_only: ['integer', rooms.map(({ isReadOnly }) => (isReadOnly ? 1 : 0))],
    changed_ms: ['bigint', rooms.map(({ changedMs }) => changedMs)],
  })
  await sql`
    update rooms set last_n = given.last_n, is_read_only = given.is_read_only,
      changed_ms = given.changed_ms
    from (${list}) as given where given.key = rooms.key`.execute(transaction)
}

async function applyDeletion(transaction: Transaction<Schema>, row: EventRow): Promise<void> {
  if (row.kind !== 'delete' && row.kind !== 'erase') return
  const deleted: unknown = JSON.parse(row.value ?? 'null')
  await transaction
    .updateTable('room_events')
    .set({ value: null, user_key: null, author_id: null, author_name: null })
    .where('room_key', '=', row.room_key)
    .where('kind', '=', 'message')
    .where('n', '<', row.n)
    .where(({ eb }) =>
      row.kind === 'delete' ? eb('n', '=', Number(deleted)) : eb('author_id', '=', String(deleted)),
    )
    .execute()
}

function toRoom({
  is_read_only: isReadOnly,
  ...row
}: Omit<RoomRecord, 'isReadOnly'> & { readonly is_read_only: number }): RoomRecord {
  return { ...row, isReadOnly: isReadOnly === 1 }
}

function toStored(row: EventRow): StoredEvent {
  return { roomKey: row.room_key, event: toEvent(row), userKey: row.user_key }
}

function toEvent(row: EventRow): RoomEvent {
  const { kind, n, at_ms: atMs, author_id: id, author_name: name, value } = row
  // It was written by this store.
  const said = JSON.parse(value ?? 'null')
  if (kind === 'message') {
    return { kind, n, atMs, from: id === null ? null : { id, name: name ?? '' }, value: said }
  }
  if (kind === 'delete') return { kind, n, atMs, message: said }
  if (kind === 'read-only') return { kind, n, atMs, isOn: said }
  if (kind === 'erase' || kind === 'unmute') return { kind, n, atMs, visitor: said }
  return { kind, n, atMs, visitor: said.visitor, untilMs: said.untilMs }
}
