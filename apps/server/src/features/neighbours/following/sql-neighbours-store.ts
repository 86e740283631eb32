import type { DirectoryDevice, DirectoryIsland } from '@astropelago/contract/neighbour-directory'
import { neighbourColours, neighboursMax } from '@astropelago/contract/limits'
import { sql } from 'kysely'
import { countDeleted, countRows } from '../../../storage/count-rows.ts'
import { lockTotal } from '../../../storage/locks.ts'
import { pagesAhead } from '../../../storage/pages-ahead.ts'
import type { RowOf } from '../../../storage/schema.ts'
import { rowList, valueList } from '../../../storage/sql-lists.ts'
import type { DatabaseTransaction, Storage } from '../../../storage/storage.ts'
import {
  TooManySubjects,
  type AppliedChanges,
  type Counts,
  type DirectoryPosition,
  type NeighbourRecord,
  type NeighboursStore,
  type NeighbourSubject,
  type NeighbourUpdate,
  type StoredDevice,
  type StoredIsland,
  type SubjectKind,
} from './neighbours-store.ts'

const loadPageSize = 1000
/** Rows deleted in one transaction, so that no heartbeat waits long. */
const deletedAtOnce = 500

const tables = { device: 'neighbour_devices', island: 'neighbour_islands' } as const

const isNotHidden = (kind: SubjectKind) => sql<boolean>`not exists (
  select 1 from hidden_of_neighbours as hidden
  where hidden.neighbour_key = ${sql.ref(`${tables[kind]}.neighbour_key`)}
    and hidden.kind = ${kind} and hidden.id = ${sql.ref(`${tables[kind]}.id`)})`

export function sqlNeighboursStore({
  db,
  changes,
  longReads,
}: Pick<Storage, 'db' | 'changes' | 'longReads'>): NeighboursStore {
  /** Before the neighbour itself: a cascade of 100,000 rows would hold up heartbeats. */
  const deleteSubjects = async (key: number) => {
    for (const kind of ['device', 'island'] as const) {
      const table = sql.table(tables[kind])
      for (;;) {
        const { rows } = await sql<{ key: number }>`
          delete from ${table} where key in (
            select key from ${table} where neighbour_key = ${key} limit ${deletedAtOnce}
          ) returning key`.execute(db)
        if (rows.length === 0) break
      }
    }
    await db.updateTable('neighbours').set({ number: null }).where('key', '=', key).execute()
  }

  const deleteMissing = async (key: number): Promise<AppliedChanges> => {
    const removed: (NeighbourSubject & { key: number })[] = []
    for (const kind of ['device', 'island'] as const) {
      for (;;) {
        const gone = await changes.write(async (transaction, record) => {
          const rows = await deleteOlder(transaction, kind, key)
          if (rows.length > 0) record('neighbours', [key])
          return rows
        })
        if (gone.length === 0) break
        removed.push(...gone.map(({ key: subjectKey, id }) => ({ kind, key: subjectKey, id })))
      }
    }
    return { devices: [], islands: [], removed, grownBy: countOf(removed, -1) }
  }

  return {
    list: async () =>
      (await db.selectFrom('neighbours').selectAll().orderBy('key').execute()).map(toNeighbour),

    insert: (neighbour) =>
      changes.write(async (transaction, record) => {
        await lockTotal(transaction, 'neighbours')
        const all = transaction.selectFrom('neighbours')
        const same = all.select('key').where('address', '=', neighbour.address)
        if ((await same.executeTakeFirst()) !== undefined) return 'known'
        const count = await countRows(all)
        if (count >= neighboursMax) return 'neighbour_limit'
        const row = await transaction
          .insertInto('neighbours')
          .values({
            id: neighbour.id,
            address: neighbour.address,
            name: neighbour.name,
            colour: count % neighbourColours,
            state: 'following',
            note: null,
            public_key: neighbour.publicKey,
            key_number: neighbour.keyNumber,
            unknown_key: null,
            epoch: null,
            number: null,
            snapshot: 0,
            contact_ms: null,
            added_ms: neighbour.addedMs,
          })
          .returningAll()
          .executeTakeFirstOrThrow()
        record('neighbours', [row.key], 'shown')
        return toNeighbour(row)
      }),

    update: (key, update) =>
      changes.write(async (transaction, record) => {
        await transaction
          .updateTable('neighbours')
          .set(columnsOf(update))
          .where('key', '=', key)
          .execute()
        if (update.state === undefined) record('neighbours', [key])
        else record('neighbours', [key], 'shown')
      }),

    resume: (key) =>
      changes.write(async (transaction, record) => {
        await transaction
          .updateTable('neighbours')
          .set({ state: 'following', note: null, unknown_key: null, epoch: null, number: null })
          .where('key', '=', key)
          .execute()
        record('neighbours', [key], 'resumed')
      }),

    delete: async (key) => {
      await deleteSubjects(key)
      await changes.write(async (transaction, record) => {
        await transaction.deleteFrom('neighbours').where('key', '=', key).execute()
        record('neighbours', [key], 'shown')
      })
    },

    deleteSubjects,

    beginSnapshot: async (key, epoch) => {
      await db
        .updateTable('neighbours')
        .set({ epoch, number: null, snapshot: sql<number>`snapshot + 1` })
        .where('key', '=', key)
        .execute()
    },

    deleteMissing,

    endSnapshot: async (key, position, contactMs) => {
      const deleted = await deleteMissing(key)
      await changes.write(async (transaction, record) => {
        await setPosition(transaction, key, { ...position, contact_ms: contactMs })
        record('neighbours', [key], 'shown')
      })
      return deleted
    },

    apply: (key, { devices, islands, removed }, { position, room }) =>
      changes.write(async (transaction, record) => {
        const row = await transaction
          .selectFrom('neighbours')
          .select('snapshot')
          .where('key', '=', key)
          .executeTakeFirst()
        // An operator forgot it meanwhile.
        if (row === undefined) return nothingApplied
        const { snapshot } = row
        const ofDevices = await writeDevices(transaction, { key, snapshot }, devices, room.devices)
        const ofIslands = await writeIslands(transaction, { key, snapshot }, islands, room.islands)
        const gone: (NeighbourSubject & { key: number })[] = []
        for (const kind of ['device', 'island'] as const) {
          const ids = removed.filter((one) => one.kind === kind).map(({ id }) => id)
          const rows = await deleteByIds(transaction, kind, key, ids)
          gone.push(...rows.map(({ key: subjectKey, id }) => ({ kind, key: subjectKey, id })))
        }
        if (position !== undefined) await setPosition(transaction, key, position)
        const fewer = countOf(gone, -1)
        if (ofDevices.changed.length + ofIslands.changed.length + gone.length > 0) {
          record('neighbours', [key])
        }
        return {
          devices: ofDevices.changed,
          islands: ofIslands.changed,
          removed: gone,
          grownBy: {
            devices: ofDevices.added + fewer.devices,
            islands: ofIslands.added + fewer.islands,
          },
        }
      }),

    recordContact: async (key, contactMs, position) => {
      await db
        .updateTable('neighbours')
        .set({ contact_ms: contactMs, ...position })
        .where('key', '=', key)
        .execute()
    },

    countAll: async () => {
      const counts = new Map<number, { devices: number; islands: number }>()
      for (const [name, table] of [
        ['devices', 'neighbour_devices'],
        ['islands', 'neighbour_islands'],
      ] as const) {
        const rows = await longReads
          .selectFrom(table)
          .select((select) => ['neighbour_key', select.fn.countAll<number>().as('count')])
          .groupBy('neighbour_key')
          .execute()
        for (const { neighbour_key: key, count } of rows) {
          const ofNeighbour = counts.get(key) ?? { devices: 0, islands: 0 }
          counts.set(key, { ...ofNeighbour, [name]: count })
        }
      }
      return counts
    },

    listHidden: async () => {
      const rows = await db.selectFrom('hidden_of_neighbours').selectAll().execute()
      const byNeighbour = Map.groupBy(rows, (row) => row.neighbour_key)
      return new Map(
        Array.from(byNeighbour, ([key, hidden]) => [
          key,
          hidden.map(({ kind, id }) => ({ kind, id })),
        ]),
      )
    },

    setHidden: (key, { kind, id }, isHidden) =>
      changes.write(async (transaction, record) => {
        const subject = await transaction
          .selectFrom(tables[kind])
          .select('key')
          .where('neighbour_key', '=', key)
          .where('id', '=', id)
          .executeTakeFirst()
        if (isHidden) {
          if (subject === undefined) return false
          await transaction
            .insertInto('hidden_of_neighbours')
            .values({ neighbour_key: key, kind, id })
            .onConflict((conflict) => conflict.doNothing())
            .execute()
          record('neighbours', [key], { kind, id, key: subject.key })
          return true
        }
        const shown = await countDeleted(
          transaction
            .deleteFrom('hidden_of_neighbours')
            .where('neighbour_key', '=', key)
            .where('kind', '=', kind)
            .where('id', '=', id),
        )
        record('neighbours', [key], 'shown')
        return shown > 0
      }),

    loadDevices: (neighbourKeys) =>
      pagesAhead(
        async (after) =>
          (
            await longReads
              .selectFrom('neighbour_devices')
              .selectAll()
              .where('neighbour_devices.key', '>', after)
              .where('neighbour_key', 'in', valueList(longReads, 'integer', neighbourKeys))
              .where(isNotHidden('device'))
              .orderBy('neighbour_devices.key')
              .limit(loadPageSize)
              .execute()
          ).map(toDevice),
        (page) => page.at(-1)?.key,
      ),

    listIslands: async ({ neighbourKeys, kind, isOpen, access, after, limit }) => {
      let matching = longReads
        .selectFrom('neighbour_islands')
        .where('neighbour_key', 'in', valueList(longReads, 'integer', neighbourKeys))
        .where(isNotHidden('island'))
      if (kind !== undefined) matching = matching.where('kind', '=', kind)
      if (isOpen) matching = matching.where('is_open', '=', 1)
      if (access !== undefined) matching = matching.where('access', '=', access)
      const total = await countRows(matching)
      let page = matching.selectAll()
      if (after !== undefined) {
        const open = Number(after.isOpen)
        page = page.where(
          sql<boolean>`(is_open < ${open} or is_open = ${open} and neighbour_islands.key < ${after.key})`,
        )
      }
      const rows = await page
        .orderBy('is_open', 'desc')
        .orderBy('neighbour_islands.key', 'desc')
        .limit(limit)
        .execute()
      return { islands: rows.map(toIsland), total }
    },
  }
}

const nothingApplied: AppliedChanges = {
  devices: [],
  islands: [],
  removed: [],
  grownBy: { devices: 0, islands: 0 },
}

interface Written<Subject> {
  readonly changed: readonly (Subject & { readonly key: number })[]
  readonly added: number
}

interface Into {
  /** Of the neighbour. */
  readonly key: number
  readonly snapshot: number
}

async function writeDevices(
  transaction: DatabaseTransaction,
  into: Into,
  devices: readonly DirectoryDevice[],
  room: number,
): Promise<Written<DirectoryDevice>> {
  const before = await findByIds<RowOf<'neighbour_devices'>>(
    transaction,
    'neighbour_devices',
    into.key,
    devices,
  )
  const changed = await keepSame(transaction, 'neighbour_devices', into, devices, before, toDevice)
  const added = changed.filter(({ id }) => !before.has(id)).length
  if (added > room) throw new TooManySubjects()
  if (changed.length === 0) return { changed: [], added }
  const given = rowList(transaction, {
    id: ['text', changed.map(({ id }) => id)],
    label: ['text', changed.map(({ label }) => label)],
    lat: ['double precision', changed.map(({ lat }) => lat)],
    lon: ['double precision', changed.map(({ lon }) => lon)],
    status: ['text', changed.map(({ status }) => status)],
  })
  const { rows } = await sql<{ key: number; id: string }>`
    insert into neighbour_devices (neighbour_key, id, label, lat, lon, status, snapshot)
    select ${into.key}, id, label, lat, lon, status, ${into.snapshot} from (${given}) as given
    where true
    on conflict (neighbour_key, id) do update set label = excluded.label, lat = excluded.lat,
      lon = excluded.lon, status = excluded.status, snapshot = excluded.snapshot
    returning key, id`.execute(transaction)
  return { changed: withKeys(changed, rows), added }
}

async function writeIslands(
  transaction: DatabaseTransaction,
  into: Into,
  islands: readonly DirectoryIsland[],
  room: number,
): Promise<Written<DirectoryIsland>> {
  const before = await findByIds<RowOf<'neighbour_islands'>>(
    transaction,
    'neighbour_islands',
    into.key,
    islands,
  )
  const changed = await keepSame(transaction, 'neighbour_islands', into, islands, before, toIsland)
  const added = changed.filter(({ id }) => !before.has(id)).length
  if (added > room) throw new TooManySubjects()
  if (changed.length === 0) return { changed: [], added }
  const given = rowList(transaction, {
    id: ['text', changed.map(({ id }) => id)],
    slug: ['text', changed.map(({ slug }) => slug)],
    name: ['text', changed.map(({ name }) => name)],
    kind: ['text', changed.map(({ kind }) => kind)],
    picture: ['integer', changed.map(({ picture }) => picture)],
    tagline: ['text', changed.map(({ tagline }) => tagline)],
    access: ['text', changed.map(({ access }) => access)],
    is_open: ['integer', changed.map(({ isOpen }) => Number(isOpen))],
    device_id: ['text', changed.map(({ deviceId }) => deviceId)],
  })
  const { rows } = await sql<{ key: number; id: string }>`
    insert into neighbour_islands (neighbour_key, id, slug, name, kind, picture, tagline, access,
      is_open, device_id, snapshot)
    select ${into.key}, id, slug, name, kind, picture, tagline, access, is_open, device_id,
      ${into.snapshot} from (${given}) as given
    where true
    on conflict (neighbour_key, id) do update set slug = excluded.slug, name = excluded.name,
      kind = excluded.kind, picture = excluded.picture, tagline = excluded.tagline,
      access = excluded.access, is_open = excluded.is_open, device_id = excluded.device_id,
      snapshot = excluded.snapshot
    returning key, id`.execute(transaction)
  return { changed: withKeys(changed, rows), added }
}

async function findByIds<Row extends { readonly id: string }>(
  transaction: DatabaseTransaction,
  table: 'neighbour_devices' | 'neighbour_islands',
  neighbourKey: number,
  subjects: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, Row>> {
  if (subjects.length === 0) return new Map()
  const ids = subjects.map(({ id }) => id)
  const { rows } = await sql<Row>`
    select * from ${sql.table(table)} where neighbour_key = ${neighbourKey}
      and id in ${valueList(transaction, 'text', ids)}`.execute(transaction)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Says of unchanged rows that the snapshot has them too. @returns the others */
async function keepSame<Subject extends { readonly id: string }, Row extends { key: number }>(
  transaction: DatabaseTransaction,
  table: 'neighbour_devices' | 'neighbour_islands',
  { snapshot }: Into,
  subjects: readonly Subject[],
  before: ReadonlyMap<string, Row>,
  subjectOf: (row: Row) => Subject & { readonly neighbourKey: number },
): Promise<Subject[]> {
  const same: number[] = []
  const changed = subjects.filter((subject) => {
    const row = before.get(subject.id)
    if (row === undefined) return true
    const isSame = isEqual(subject, subjectOf(row))
    if (isSame) same.push(row.key)
    return !isSame
  })
  if (same.length > 0) {
    await sql`
      update ${sql.table(table)} set snapshot = ${snapshot}
      where key in ${valueList(transaction, 'integer', same)} and snapshot <> ${snapshot}`.execute(
      transaction,
    )
  }
  return changed
}

function isEqual<Subject extends object>(one: Subject, other: Subject): boolean {
  return Object.entries(one).every(([name, value]) => Reflect.get(other, name) === value)
}

function withKeys<Subject extends { readonly id: string }>(
  subjects: readonly Subject[],
  rows: readonly { readonly key: number; readonly id: string }[],
): readonly (Subject & { readonly key: number })[] {
  const keys = new Map(rows.map(({ id, key }) => [id, key]))
  return subjects.flatMap((subject) => {
    const key = keys.get(subject.id)
    return key === undefined ? [] : { ...subject, key }
  })
}

async function deleteOlder(
  transaction: DatabaseTransaction,
  kind: SubjectKind,
  neighbourKey: number,
): Promise<readonly { readonly key: number; readonly id: string }[]> {
  const table = sql.table(tables[kind])
  const { rows } = await sql<{ key: number; id: string }>`
    delete from ${table} where key in (
      select key from ${table} where neighbour_key = ${neighbourKey}
        and snapshot <> (select snapshot from neighbours where key = ${neighbourKey})
      limit ${deletedAtOnce}
    ) returning key, id`.execute(transaction)
  return rows
}

async function deleteByIds(
  transaction: DatabaseTransaction,
  kind: SubjectKind,
  neighbourKey: number,
  ids: readonly string[],
): Promise<readonly { readonly key: number; readonly id: string }[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ key: number; id: string }>`
    delete from ${sql.table(tables[kind])} where neighbour_key = ${neighbourKey}
      and id in ${valueList(transaction, 'text', ids)} returning key, id`.execute(transaction)
  return rows
}

async function setPosition(
  transaction: DatabaseTransaction,
  key: number,
  position: DirectoryPosition & { readonly contact_ms?: number },
): Promise<void> {
  await transaction.updateTable('neighbours').set(position).where('key', '=', key).execute()
}

function countOf(subjects: readonly NeighbourSubject[], sign: 1 | -1): Counts {
  const devices = subjects.filter(({ kind }) => kind === 'device').length
  return { devices: sign * devices, islands: sign * (subjects.length - devices) }
}

function columnsOf({ name, state, note, publicKey, keyNumber, unknownKey }: NeighbourUpdate) {
  return {
    ...(name !== undefined && { name }),
    ...(state !== undefined && { state }),
    ...(note !== undefined && { note }),
    ...(publicKey !== undefined && { public_key: publicKey }),
    ...(keyNumber !== undefined && { key_number: keyNumber }),
    ...(unknownKey !== undefined && { unknown_key: unknownKey }),
  }
}

function toNeighbour(row: RowOf<'neighbours'>): NeighbourRecord {
  return {
    key: row.key,
    id: row.id,
    address: row.address,
    name: row.name,
    colour: row.colour,
    state: row.state,
    note: row.note,
    publicKey: row.public_key,
    keyNumber: row.key_number,
    unknownKey: row.unknown_key,
    epoch: row.epoch,
    number: row.number,
    contactMs: row.contact_ms,
    addedMs: row.added_ms,
  }
}

function toDevice(row: RowOf<'neighbour_devices'>): StoredDevice {
  const { key, neighbour_key: neighbourKey, id, label, lat, lon, status } = row
  return { key, neighbourKey, id, label, lat, lon, status }
}

function toIsland(row: RowOf<'neighbour_islands'>): StoredIsland {
  const { key, id, slug, name, kind, picture, tagline, access } = row
  return {
    key,
    neighbourKey: row.neighbour_key,
    id,
    slug,
    name,
    kind,
    picture,
    tagline,
    access,
    isOpen: row.is_open === 1,
    deviceId: row.device_id,
  }
}
